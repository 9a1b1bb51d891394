import { expect, test } from 'vitest'
import { embed, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const openBoard = async () => {
  const venue = await openVenue()
  const { office, origin } = venue
  const { body: task } = await office.post('/admin/tasks', { task: { title: 'x' } })
  const file = await uploadFile({ origin, client: office }, Buffer.from('%PDF-1.7'), 'plan.pdf', 'application/pdf')
  return {
    ...venue,
    file,
    path: `/admin/tasks/${task.id}`,
    describe: (description: string) => office.patch(`/admin/tasks/${task.id}`, { task: { description } }),
    comment: (body: string) => office.post(`/admin/tasks/${task.id}/comments`, { comment: { body } }),
  }
}

test('a link cannot borrow the place of a file to become something else', async () => {
  const { file, describe, comment } = await openBoard()
  const attack = `<a href="https://x/&#xE000;0&#xE001;<img src=x onerror=alert(1)>">hi</a>${embed(file.attachable_sgid)}`
  const { body: task } = await describe(attack)
  const { body: entry } = await comment(attack)
  for (const [shown, text] of [
    [task.description_html, task.description],
    [entry.body_html, entry.body],
  ]) {
    expect(text).toBe('hi[plan.pdf]')
    expect(shown).toMatch(
      /^<a href="https:\/\/x\/[^"]*" rel="noopener noreferrer">hi<\/a><action-text-attachment sgid="/,
    )
    expect(shown.match(/<img/g)).toHaveLength(1)
  }
})

/** Formatting that is never closed is opened again in every paragraph that follows. */
const reopening = (count: number) =>
  `<p>${Array.from({ length: count }, (_, n) => `<b a${n}>`).join('')}</p>${'<p>x</p>'.repeat(count)}`

test.each([
  [17, reopening(1_050)],
  [99, reopening(5_850)],
])('%i KB of markup that would become gigabytes are refused at once, and nothing changes', async (_size, markup) => {
  const { describe, comment, office, path } = await openBoard()
  const peak = process.resourceUsage().maxRSS
  const start = process.cpuUsage()
  expect(await describe(markup)).toRefuse(422, { description: ['has too much markup'] })
  expect(await comment(markup)).toRefuse(422, { body: ['has too much markup'] })
  expect(await office.post('/admin/tasks', { task: { title: 'y', description: markup } })).toRefuse(422, {
    description: ['has too much markup'],
  })
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(1_000)
  expect((process.resourceUsage().maxRSS - peak) / 1_024).toBeLessThan(200)
  expect((await office.get(path)).body).toMatchObject({ description: '', lock_version: 0 })
  expect((await office.get(`${path}/comments`)).body.entries).toHaveLength(1)
})

test('a text holds a hundred files and no more', async () => {
  const { describe, comment, file } = await openBoard()
  const files = (count: number) => embed(file.attachable_sgid).repeat(count)
  const tooMany = ['has too many attachments (maximum is 100)']
  expect(await describe(files(101))).toRefuse(422, { description: tooMany })
  expect(await comment(files(101))).toRefuse(422, { body: tooMany })
  expect((await describe(files(100))).body.attachments).toHaveLength(1)
})
