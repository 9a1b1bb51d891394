import type { Schemas } from '../../api/client.ts'

export type Notification = Schemas['Notification']

/** Where in the console a notification leads; the API names the thing by its own address. */
export const consolePathOf = (url: string): string => {
  const { pathname } = new URL(url, 'https://foyer.invalid')
  return pathname.replace(/^\/admin/, '').replace(/\/guest_requests$/, '/requests')
}

/** Who gave whom what, as it is told; null for what is told in other words. */
export const readAssignment = ({ kind, title }: Notification): { who: string; title: string } | null => {
  const [, who, given] = (kind === 'task_assigned' && /^(.+?) gave you “(.+)”$/s.exec(title)) || []
  return who && given ? { who, title: given } : null
}
