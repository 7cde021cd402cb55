import './database-stock-of-file';
import { patientLatency } from './latency';

/** Before each file of tests with real servers. */
patientLatency();
