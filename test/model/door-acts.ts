import { type Guest, type Model, type Party, verdictOf } from './model.ts'
import { type Doing, byStatus, pick } from './outcome.ts'

const everyone = (model: Model): [Party, Guest][] =>
  model.parties.flatMap((party) => party.guests.map((guest): [Party, Guest] => [party, guest]))

let scans = 0

const redeem: Doing = async ({ actors, model }, { actor, a, b }) => {
  const [party, guest] = pick(everyone(model), a) ?? []
  if (!party || !guest) return null
  const who = pick(['Door 1', 'Door 2', 'mara', 'reader'], actor)!
  const name = b % 2 ? guest.id : guest.code
  const path = b % 4 < 2 ? '/scanner/events/winter-ball/tickets' : '/scanner/tickets'
  const reply = await actors[who]!.post(`${path}/${name}/redemption`)
  const foretold = who === 'reader' ? 401 : verdictOf(party, guest) === 'accepted' ? 200 : 422
  const letIn = reply.status === 200 ? [{ guest: guest.id, scan: `online ${++scans}` }] : []
  return { ...byStatus(reply, foretold, () => void (guest.isIn = true)), letIn }
}

/** Three scans at once, numbered by the device from few numbers, so that many of them are repetitions. */
const sync: Doing = async ({ actors, model }, { actor, a, b, c }) => {
  const device = pick(['Door 1', 'Door 2'], actor)!
  const batch = [a, b, c].flatMap((at) => {
    const [party, guest] = pick(everyone(model), at) ?? []
    return party && guest ? [{ clientId: `scan ${at % 25}`, party, guest }] : []
  })
  const attempts = batch.map(({ clientId, guest }) => {
    return { client_id: clientId, event_slug: 'winter-ball', public_id: guest.id, scanned_at: '2026-12-15T18:03:40Z' }
  })
  const foretold: string[] = []
  const entering = new Set<Guest>()
  const told = new Map<string, string>()
  for (const { clientId, party, guest } of batch) {
    const key = `${device} ${clientId}`
    const before = model.told.get(key) ?? told.get(key)
    const verdict = before ?? (entering.has(guest) ? 'conflict' : verdictOf(party, guest))
    if (before === undefined && verdict === 'accepted') entering.add(guest)
    told.set(key, verdict)
    foretold.push(verdict)
  }

  const reply = await actors[device]!.post('/scanner/redemption_attempts', { attempts })
  const shown: { result: string; public_id: string; client_id: string }[] = reply.body?.redemption_attempts ?? []
  return {
    told: reply.status === 200 ? shown.map(({ result }) => result) : reply.status,
    letIn: shown
      .filter(({ result }) => result === 'accepted')
      .map((each) => ({ guest: each.public_id, scan: `${device} ${each.client_id}` })),
    foretold,
    isDone: reply.status === 200,
    apply: () => {
      for (const guest of entering) guest.isIn = true
      for (const [key, verdict] of told) model.told.set(key, verdict)
    },
  }
}

export const doorActs = { redeem, sync }
