import type { Schemas } from '../../api/client.ts'

export type Notification = Schemas['Notification']

/** Where in the console a notification leads; the API names the thing by its own address. */
export const consolePathOf = (url: string): string => {
  const { pathname } = new URL(url, 'https://foyer.invalid')
  return pathname.replace(/^\/admin/, '').replace(/\/guest_requests$/, '/requests')
}

/** As it was written down, in the language that the venue had by then. */
const ASSIGNMENTS = [/^(.+?) gave you “(.+)”$/s, /^(.+?) hat (?:dir|Ihnen) „(.+)“ gegeben$/s]

/** Who gave whom what, as it is told; null for what is told in other words. */
export const readAssignment = ({
  kind,
  title,
}: Pick<Notification, 'kind' | 'title'>): { who: string; title: string } | null => {
  if (kind !== 'task_assigned') return null
  const [, who, given] = ASSIGNMENTS.map((said) => said.exec(title)).find((found) => found !== null) ?? []
  return who && given ? { who, title: given } : null
}
