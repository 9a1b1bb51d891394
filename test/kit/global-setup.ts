import type { TestProject } from 'vitest/node'
import { quickestParent, startCluster } from './database/cluster.ts'
import { makeTemplate } from './database/template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { host: string; user: string }
  }
}

/** One database server per run; every test that wants a database clones the template. */
export default async (project: TestProject) => {
  const cluster = await startCluster(await quickestParent())
  try {
    await makeTemplate(cluster)
  } catch (error) {
    await cluster.stop()
    throw error
  }

  project.provide('postgres', { host: cluster.host, user: cluster.user })
  return () => cluster.stop()
}
