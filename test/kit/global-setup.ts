import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { quickestParent, startCluster } from './database/cluster.ts'
import { makeTemplate } from './database/template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; user: string }
  }
}

const BUILD_SERVER = path.join(import.meta.dirname, '../../bin/build-server.js')

/**
 * One database server per run; every test that wants a database clones the template. Commands and servers that tests
 * start are run as they are built, and are built of what the sources say now.
 */
export default async (project: TestProject) => {
  const cluster = await startCluster(await quickestParent())
  try {
    await Promise.all([makeTemplate(cluster), promisify(execFile)(process.execPath, [BUILD_SERVER])])
  } catch (error) {
    await cluster.stop()
    throw error
  }

  project.provide('postgres', { host: cluster.host, user: cluster.user })
  return () => cluster.stop()
}
