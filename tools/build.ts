import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '..')
const BUILDS = join(ROOT, 'build')
const LOCK = join(BUILDS, '.lock')
const LOCK_CHECK_MS = 200
/** A lock whose holder is gone, or that never got its holder's name, expires after this long. */
const LOCK_NAMELESS_MS = 2_000

/** All sources of the bundle. Types from `src/server` are erased, so they are not included. */
const SOURCES = [
  'src/web',
  'src/contract',
  'public',
  'vite.config.ts',
  'react-router.config.ts',
  'package.json',
  'package-lock.json',
  'tools/build.ts',
  'tools/console-files.ts',
]

const FINISHED = /^[0-9a-f]{16}$/
const UNFINISHED = /^[0-9a-f]{16}\.unfinished(-\d+)?$/
const COMPRESSIBLE = /\.(?:js|css|svg|json|txt|xml|ico|webmanifest)$/

/**
 * Builds the site in `build/<hash of its sources>/`: a no-op if it exists; an incomplete build never counts. The previous build is kept for running
 * sites.
 * @throws when the build fails; the message includes the bundler's output.
 */
export async function buildSite({ log }: { log: (sentence: string) => void }): Promise<{ directory: string }> {
  const directory = join(BUILDS, hashOfSources())
  if (isBuilt(directory)) return { directory: markUsed(directory) }

  mkdirSync(BUILDS, { recursive: true })
  const unlock = await lock(log)
  try {
    if (!isBuilt(directory)) await build(directory, log)
    markUsed(directory)
    removeOldBuilds()
    return { directory }
  } finally {
    unlock()
  }
}

async function build(directory: string, log: (sentence: string) => void): Promise<void> {
  log('Building the pages ...')
  // The same name each time, since the bundle contains it: a build is the same bytes for the same sources.
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  try {
    await reactRouter(['build'], { SITE_BUILD_DIRECTORY: unfinished, NODE_ENV: 'production' })
    await compressFiles(join(unfinished, 'client'))
    renameSync(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function reactRouter(command: string[], settings: NodeJS.ProcessEnv): Promise<void> {
  const program = join(ROOT, 'node_modules', '@react-router', 'dev', 'bin.cjs')
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [program, ...command], {
      cwd: ROOT,
      env: { ...process.env, ...settings, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) done()
      else reject(new Error(`react-router ${command.join(' ')} failed:\n${Buffer.concat(said).toString()}`))
    })
  })
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesOf(join(ROOT, source))) {
      hash
        .update(`${relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('.test.'))
    .sort()
}

/** Compressed once here, at the highest level, so that the site starts quickly. */
async function compressFiles(directory: string): Promise<void> {
  await Promise.all(
    filesOf(directory)
      .filter((file) => COMPRESSIBLE.test(file))
      .map(async (file) => {
        const bytes = readFileSync(file)
        const small = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
        if (small.length < bytes.length) writeFileSync(`${file}.br`, small)
      }),
  )
}

/** Points `build/site` to a build: a stable path for running `src/server/main.ts` directly. Returns it. */
export function linkBuild(directory: string): string {
  const link = join(BUILDS, 'site')
  const fresh = `${link}.${process.pid}`
  symlinkSync(process.platform === 'win32' ? directory : relative(BUILDS, directory), fresh, 'junction')
  if (process.platform === 'win32') rmSync(link, { force: true }) // renaming does not replace a link there
  renameSync(fresh, link)
  return link
}

function isBuilt(directory: string): boolean {
  return existsSync(join(directory, 'server', 'index.js')) && existsSync(join(directory, 'client'))
}

function markUsed(directory: string): string {
  const now = new Date()
  utimesSync(directory, now, now)
  return directory
}

/** Keeps the two builds used last, this one and the previous one, and removes what aborted builds left. */
function removeOldBuilds(): void {
  const folders = readdirSync(BUILDS).filter((name) => FINISHED.test(name) || UNFINISHED.test(name))
  const finished = folders
    .filter((name) => FINISHED.test(name))
    .map((name) => join(BUILDS, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  const unfinished = folders.filter((name) => UNFINISHED.test(name)).map((name) => join(BUILDS, name))
  for (const folder of [...finished.slice(2), ...unfinished]) rmSync(folder, { recursive: true, force: true })
}

/** One build at a time across processes. Takes over the lock of a dead process. */
async function lock(log: (sentence: string) => void): Promise<() => void> {
  let told = false
  for (;;) {
    try {
      const file = openSync(LOCK, 'wx')
      writeFileSync(file, String(process.pid))
      closeSync(file)
      return () => rmSync(LOCK, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (isAbandoned()) rmSync(LOCK, { force: true })
    else {
      if (!told) log('Waiting for another build to end ...')
      told = true
      await sleep(LOCK_CHECK_MS)
    }
  }
}

function isAbandoned(): boolean {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'))
    if (!holder) return Date.now() - statSync(LOCK).mtimeMs > LOCK_NAMELESS_MS
    process.kill(holder, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
