/** What rooms tell of what they have done, while somebody watches Foyer. Labels are few and known, and never an ID. */
export interface Metrics {
  countRequest(method: string, route: string, status: number, seconds: number): void
  countWebhook(outcome: 'delivered' | 'failed'): void
  countScan(way: 'online' | 'sync', result: string): void
}
