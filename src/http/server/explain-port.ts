import { Misconfigured } from '../../kernel/settings.ts'

/** A port that cannot be listened on is a wrong setting, and told in a sentence. */
export const explainPort = async <T>(
  listening: Promise<T>,
  { host, port, name }: { host: string; port: number | null; name: string },
): Promise<T> => {
  try {
    return await listening
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new Misconfigured(`Port ${port} on ${host} is already taken by another program; set ${name} to a free one.`)
    }
    if (code === 'EACCES') throw new Misconfigured(`Port ${port} on ${host} may not be opened by this user.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Misconfigured(`HOST ${host} is no address of this machine.`)
    }
    throw error
  }
}
