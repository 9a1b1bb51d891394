/** Days as a person picks them, the last one included. */
export interface AuditSearch {
  actor?: string
  action?: string
  from?: string
  to?: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

const text = (value: unknown, most: number) =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? value.slice(0, most) : ''

/** Out of an address, which anybody may have written. */
export const readAuditSearch = (search: Record<string, unknown>): AuditSearch => {
  const [actor, action, from, to] = [
    text(search['actor'], 20),
    text(search['action'], 100),
    text(search['from'], 10),
    text(search['to'], 10),
  ]
  return {
    ...(/^\d+$/.test(actor) && { actor }),
    ...(action !== '' && { action }),
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
  }
}
