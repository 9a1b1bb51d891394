import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The text of every file, by its path from the repository's root. */
export type SourceTree = Map<string, string>

export interface Import {
  from: string
  /** A path from the root for our own files, else the name as it is written. */
  to: string
}

const ROOT = path.join(import.meta.dirname, '../..')

export const readSourceTree = (): SourceTree => {
  const files = globSync(['*.ts', '{bin,src,test,bench,web}/**/*.{ts,tsx}', 'migrations/*.sql'], {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  })
  return new Map(files.toSorted().map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]))
}

const STATIC_IMPORT = /^(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm
const BARE_IMPORT = /^import\s*['"]([^'"]+)['"]/gm
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g

export const importsOf = (tree: SourceTree): Import[] =>
  Array.from(tree).flatMap(([from, text]) =>
    [STATIC_IMPORT, BARE_IMPORT, DYNAMIC_IMPORT]
      .flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match[1]!))
      .map((name) => ({ from, to: name.startsWith('.') ? path.join(path.dirname(from), name) : name })),
  )

/** The room of src/<room>/…; null outside of rooms. */
export const roomOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1] ?? null

export const isTest = (file: string) => file.startsWith('test/') || file.endsWith('.test.ts')

/** Imports between rooms that do not go down. */
export const upwardImports = (imports: Import[], floors: readonly (readonly string[])[]) => {
  const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))
  return imports
    .filter(({ from, to }) => {
      const [room, target] = [roomOf(from), roomOf(to)]
      if (room === null) return false
      if (target !== null) return room !== target && floorOf(target) >= floorOf(room)
      return !isTest(from) && /^(src|test|bin|bench|web)\//.test(to)
    })
    .map(({ from, to }) => `${from} imports ${to}`)
}

/** The floors inside of folders of src, by the folder's path. */
export type InnerFloors = Readonly<Record<string, readonly (readonly string[])[]>>

/** A folder's own files that its floors do not name. */
const OTHER_FILES = '*.ts'

/** The sub-folder or the file that stands directly in a folder of src and is, or holds, this file. */
const entryIn = (folder: string, file: string) => {
  const prefix = `src/${folder}/`
  return file.startsWith(prefix) ? file.slice(prefix.length).split('/', 1)[0]! : null
}

/** What stands on no floor of its folder, or on several; floors of what is not there; folders without floors. */
export const misplacedEntries = (tree: SourceTree, floors: InnerFloors) => {
  const files = Array.from(tree.keys()).filter((file) => file.startsWith('src/') && !isTest(file))
  const divided = new Set(
    files.flatMap((file) => {
      const folders = path.dirname(file).split('/').slice(1)
      return folders.slice(1).map((_, depth) => folders.slice(0, depth + 1).join('/'))
    }),
  )
  const wrong = Object.keys(floors).filter((folder) => !divided.has(folder))
  for (const folder of divided) {
    const named = (floors[folder] ?? []).flat()
    const entries = new Set(files.map((file) => entryIn(folder, file)).filter((entry) => entry !== null))
    const others = Array.from(entries).filter((entry) => !named.includes(entry))
    const isOwnFile = (entry: string) => entry.endsWith('.ts')
    wrong.push(
      ...others
        .filter((entry) => !isOwnFile(entry) || !named.includes(OTHER_FILES))
        .map((entry) => `${folder}/${entry}`),
      ...named
        .filter(
          (entry, n) =>
            named.indexOf(entry) < n || !(entry === OTHER_FILES ? others.some(isOwnFile) : entries.has(entry)),
        )
        .map((entry) => `${folder}/${entry}`),
    )
  }
  return wrong
}

/** Imports inside of a folder that do not go down. Its own files on one floor may import each other. */
export const upwardImportsInside = (imports: Import[], floors: InnerFloors) =>
  Object.entries(floors).flatMap(([folder, levels]) => {
    const floorOf = (entry: string) => {
      const named = levels.findIndex((entries) => entries.includes(entry))
      return named >= 0 ? named : levels.findIndex((entries) => entries.includes(OTHER_FILES))
    }
    return imports
      .filter(({ from, to }) => {
        const [entry, target] = [entryIn(folder, from), entryIn(folder, to)]
        if (entry === null || target === null || entry === target || isTest(from)) return false
        const areOwnFiles = entry.endsWith('.ts') && target.endsWith('.ts')
        return areOwnFiles ? floorOf(target) > floorOf(entry) : floorOf(target) >= floorOf(entry)
      })
      .map(({ from, to }) => `${from} imports ${to}`)
  })

/** Where a file of web/ stands: `api` and `ui` for all fronts, else a room or the frame of one front. */
const placeInWeb = (file: string) => {
  const [, first, second] = /^web\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  if (first === undefined) return null
  if (first === 'api' || first === 'ui') return { floor: first, front: null, room: first }
  if (second === undefined) return null
  const floor = second === 'frame' || second === 'base' ? second : 'rooms'
  return { floor, front: first, room: second }
}

/** Imports within web/ that go up, from room to room, or into another front. */
export const upwardWebImports = (imports: Import[], floors: readonly string[]) =>
  imports
    .filter(({ from, to }) => {
      const [here, there] = [placeInWeb(from), placeInWeb(to)]
      if (!here || !there || (here.front === there.front && here.room === there.room)) return false
      const isOtherFront = there.front !== null && there.front !== here.front
      return isOtherFront || floors.indexOf(there.floor) >= floors.indexOf(here.floor)
    })
    .map(({ from, to }) => `${from} imports ${to}`)

/** Rules, and the words for what they say. */
const SHARED_WITH_WEB = /\/(rules|message-words|languages\/translate)\.ts$/

/** What web/ takes from the server, or from nowhere that a browser has. */
export const strangeWebImports = (tree: SourceTree, imports: Import[]) => {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const usesNode = (file: string, seen = new Set<string>()): boolean => {
    if (seen.has(file)) return false
    seen.add(file)
    return (targets.get(file) ?? []).some(({ to }) => to.startsWith('node:') || (tree.has(to) && usesNode(to, seen)))
  }
  return imports
    .filter(({ from }) => from.startsWith('web/'))
    .filter(({ to }) => {
      if (/^(test|bin|bench)\//.test(to) || to.startsWith('node:')) return true
      return to.startsWith('src/') && (!SHARED_WITH_WEB.test(to) || usesNode(to))
    })
    .map(({ from, to }) => `${from} imports ${to}`)
}

/** Our own files that are imported but not there. */
export const brokenImports = (tree: SourceTree, imports: Import[]) =>
  imports
    .filter(({ to }) => /\.tsx?$/.test(to) && to.includes('/') && !tree.has(to))
    .map(({ from, to }) => `${from} imports ${to}`)

/** Files that nothing leads to. */
export const deadFiles = (tree: SourceTree, imports: Import[], entries: string[]) => {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const reached = new Set(entries)
  for (const file of reached) {
    for (const { to } of targets.get(file) ?? []) if (tree.has(to)) reached.add(to)
  }
  return Array.from(tree.keys()).filter((file) => /^(src|web)\//.test(file) && !reached.has(file))
}

/** Each circle once, as the path that closes it. */
export const importCircles = (tree: SourceTree, imports: Import[]) => {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const circles: string[] = []

  const walk = (file: string, trail: string[]) => {
    const start = trail.indexOf(file)
    if (start >= 0) circles.push([...trail.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const { to } of targets.get(file) ?? []) if (tree.has(to)) walk(to, [...trail, file])
    done.add(file)
  }
  for (const file of tree.keys()) walk(file, [])
  return circles
}

const SQL_SIGNS = [
  /^import\s+(?!type\b)[^'"`;]*[{,]\s*sql\b[^'"`;]*from 'kysely'/m,
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(/,
  /['"`]\s*(?:select\s[^'"`]*\bfrom\s|select\s+\w+\(|insert into\s|update\s+\w+\s+set\s|delete from\s|with\s+\w+\s+as\s*\()/,
]

export const filesWithSql = (tree: SourceTree) =>
  Array.from(tree)
    .filter(([, text]) => SQL_SIGNS.some((sign) => sign.test(text)))
    .map(([file]) => file)
