import { expect, test } from 'vitest'
import { NOTIFICATION_WORDS } from '../../src/notifications/words.ts'
import { readAssignment } from '../../web/console/notifications/rules.ts'

test.each(['en', 'de'] as const)(
  'who reads the console reads who gave them what, whatever the venue speaks: %s',
  (language) => {
    const title = NOTIFICATION_WORDS[language].taskAssigned('Olga „O“ Owner', 'Say “yes”')
    expect(readAssignment({ kind: 'task_assigned', title })).toEqual({ who: 'Olga „O“ Owner', title: 'Say “yes”' })
    expect(readAssignment({ kind: 'signup_pending', title })).toBeNull()
  },
)

test('what was written down as it was put before is read as well', () => {
  expect(readAssignment({ kind: 'task_assigned', title: 'Olga hat Ihnen „Bändchen“ gegeben' })).toEqual({
    who: 'Olga',
    title: 'Bändchen',
  })
})
