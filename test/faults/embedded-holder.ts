/**
 * A process that opens the embedded database, says so in one line of JSON and closes it when its input ends.
 * Arguments: the data folder, the role, and the user to become first (root only).
 */
import { openEmbeddedServer } from '../../src/embedded-postgres/server.ts'

const [folder = '', role = 'command', uid] = process.argv.slice(2)
if (uid) {
  process.setgroups?.([])
  process.setgid?.(Number(uid))
  process.setuid?.(Number(uid))
}

try {
  const server = await openEmbeddedServer(folder, { role: role === 'serve' ? 'serve' : 'command', name: role })
  console.log(JSON.stringify(server.connection))
  process.stdin.resume().once('end', () => void server.close())
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
