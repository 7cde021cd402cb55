import { useQuery } from '@tanstack/react-query';
import { queryApi } from '@/components/data/query-api';

export const useFleet = () =>
  useQuery({ ...queryApi('GET /api/fleet', {}), select: ({ rows }) => rows, refetchInterval: 30_000 });
