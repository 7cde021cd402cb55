import './database-stock-of-file';
import { patientLatency } from './latency';

/** Runs before each file of tests with real servers. */
patientLatency();
