import { pickBy } from '../kit/seed.ts'
import type { House } from './house.ts'

const COLUMNS = ['todo', 'in_progress', 'done'] as const
const euros = (cents: number) => (cents / 100).toFixed(2)

/** The board: tasks are made, changed and moved by several at once, each with the version they saw. */
export const openCrew = (house: House, random: () => number) => {
  const { insist, create, acknowledged } = house
  const tasks = new Map<string, number>()
  let made = 0
  const anybody = () => house.tokenOf(pickBy(random, ['mara', 'olga']))

  const createTask = async () => {
    const { status, body } = await create(anybody(), '/admin/tasks', { task: { title: `Task ${++made}` } })
    if (status === 201) tasks.set(body.id, body.lock_version)
  }

  /** Two who change the same version cannot both be told yes. */
  const change = async (id: string, send: (version: number) => Promise<{ status: number; version: number } | null>) => {
    const seen = tasks.get(id)!
    const told = await send(seen)
    if (told?.status === 200 && told.version > seen) {
      const change = `${id} ${seen}`
      if (acknowledged.taskVersions.has(change)) house.faults.push(`two changes of version ${seen} of task ${id}`)
      acknowledged.taskVersions.add(change)
    }
    const { body, status } = await insist(anybody(), 'GET', `/admin/tasks/${id}`)
    if (status === 200) tasks.set(id, body.lock_version)
  }

  const ask = async (method: string, path: string, body: object) => {
    const reply = await house.askAt(house.origin, method, path, { token: anybody(), body })
    return reply && { status: reply.status, version: reply.body?.lock_version ?? 0 }
  }

  const edit = (id: string) =>
    change(id, (version) =>
      ask('PATCH', `/admin/tasks/${id}`, { task: { title: `Task ${random()}`, lock_version: version } }),
    )
  const move = (id: string) =>
    change(id, (version) =>
      ask('PATCH', `/admin/tasks/${id}/position`, {
        position: { status: pickBy(random, COLUMNS), before_id: null, lock_version: version },
      }),
    )

  return async (): Promise<void> => {
    const id = pickBy(random, [...tasks.keys()])
    if (!id || random() < 0.3) return createTask()
    await Promise.all([edit(id), random() < 0.5 && move(id)])
  }
}

/** The till: vouchers are given out, corrected, blocked and freed. */
export const openTreasurer = (house: House, random: () => number) => {
  const { insist, create, acknowledged, voucherCodes, officeToken } = house
  const vouchers: string[] = []
  let corrections = 0

  const issue = async () => {
    const cents = 1_000 + Math.floor(random() * 9_000)
    const { status, body } = await create(officeToken, '/admin/vouchers', { voucher: { amount: euros(cents) } })
    if (status !== 201) return
    acknowledged.issuedCents += cents
    vouchers.push(body.id)
    voucherCodes.push(body.code)
  }

  const correct = async () => {
    const id = pickBy(random, vouchers)
    const reason = `Counted again ${++corrections}`
    const body = { direction: pickBy(random, ['credit', 'debit']), amount: euros(100 + corrections), reason }
    const { status } = await create(officeToken, `/admin/vouchers/${id}/adjustment`, body)
    if (status === 200) acknowledged.corrections.add(reason)
  }

  const block = async () => {
    const path = `/admin/vouchers/${pickBy(random, vouchers)}/block`
    await insist(officeToken, 'POST', path, { body: { reason: 'Lost' } })
    await insist(officeToken, 'DELETE', path)
  }

  return async (): Promise<void> => {
    if (vouchers.length < 3) return issue()
    await pickBy(random, [issue, correct, correct, block])()
  }
}

/** Staff who come and go. Who has gone is out at once. */
export const openStaff = (house: House, random: () => number) => {
  const { insist, create, post, officeToken, report, mail } = house
  let invited = 0

  const invite = async () => {
    const address = `staff-${++invited}@season.example`
    const invitation = { email: address, role: pickBy(random, ['scanner', 'manager']) }
    const { status } = await create(officeToken, '/admin/invitations', { invitation })
    if (status === 201) post.expect(address, 'invitation')
  }

  const joined = new Set<string>()
  /** Somebody finds the link in the mail and joins. */
  const join = async () => {
    const letter = mail.taken.find(
      ({ to, source }) => to.startsWith('staff-') && !joined.has(to) && /Invitation/.test(source),
    )
    if (!letter) return invite()
    joined.add(letter.to)
    const text = letter.source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')
    const path = /http:\/\/localhost:3000(\/invitations\/[\w-]+)/.exec(text)?.[1]
    if (!path) {
      house.faults.push(`The invitation of ${letter.to} leads nowhere`)
      return
    }
    const body = { invitation: { name: letter.to, password: 'correct horse' } }
    await house.askAt(house.origin, 'POST', path, { body })
  }

  const comeAndGo = async () => {
    const { membership_id: id } = report.people['sami@neue-halle.example']
    const gone = await insist(officeToken, 'DELETE', `/admin/memberships/${id}`)
    if (gone.status === 204) {
      const { status } = await insist(house.tokenOf('sami'), 'GET', '/scanner/events')
      if (status !== 401) house.faults.push(`A member who is gone was answered ${status}`)
    }
    await insist(officeToken, 'POST', `/admin/memberships/${id}/reactivation`)
  }

  /** The two who could, try to leave the house without an owner. */
  const leaveNoOwner = async () => {
    const { membership_id: id } = report.people['olga@neue-halle.example']
    const reply = await insist(house.tokenOf('mara'), 'DELETE', `/admin/memberships/${id}`)
    if (reply.status < 400) house.faults.push('A manager dismissed the last owner')
  }

  return async (): Promise<void> => pickBy(random, [invite, join, join, comeAndGo, leaveNoOwner])()
}
