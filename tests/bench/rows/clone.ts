import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { request } from '#tests/trust/http.ts'
import { findPorts, Program, ROOT } from '../programs.ts'
import type { BenchRow, Finding } from '../row.ts'

const GIVE_UP_MS = 300_000

export const row: BenchRow = {
  name: 'clone',
  title: 'Clean clone to first page',
  slow: true,
  async run({ temporaryFolder, afterwards, withTests }) {
    const home = temporaryFolder()
    const clone = join(temporaryFolder(), 'clone')
    const environment = emptyEnvironment(home)
    const node = execFileSync('node', ['--version'], { env: environment, encoding: 'utf8' }).trim()
    const [port = 0] = await findPorts(3)

    const startedAt = performance.now()
    await promisify(execFile)('git', ['clone', '--quiet', ROOT, clone])
    const overlaid = overlay(clone)
    const start = new Program('npm', ['start'], join(home, 'npm-start.log'), {
      cwd: clone,
      env: { ...environment, PORT: String(port) },
      detached: true,
    })
    afterwards(() => endGroup(start))
    await firstPage(start, port)
    const seconds = (performance.now() - startedAt) / 1_000
    await endGroup(start)

    const findings: Finding[] = [
      { what: 'Clean clone to first page', goal: { is: 'under', value: 60 }, unit: 's', digits: 0, rounds: [seconds] },
    ]
    if (withTests) findings.push(await timeTests(clone, environment))
    return {
      findings,
      notes: [
        `\`git clone\` and \`npm start\` under Node ${node.slice(1)} with an empty environment, an empty home folder and an empty npm cache, to the first 200 of the home page; the packages come over the network.`,
        ...(overlaid > 0 ? [`${overlaid} files that are not committed were copied over the clone.`] : []),
        ...(withTests ? [] : ['`npm run bench -- clone --npm-test` also times `npm test` in that clone.']),
      ],
    }
  },
}

/** The environment of a new user, without the Node that runs this program. */
function emptyEnvironment(home: string): NodeJS.ProcessEnv {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const { NODE_EXTRA_CA_CERTS } = process.env
  return { PATH: folders.join(delimiter), HOME: home, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) }
}

/** Applies the changes of the working tree to the clone. @returns how many files differed */
function overlay(clone: string): number {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  const files = [...git('diff', '--name-only', '-z', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard', '-z')]
  for (const file of files) {
    if (!existsSync(join(ROOT, file))) rmSync(join(clone, file), { force: true })
    else {
      mkdirSync(dirname(join(clone, file)), { recursive: true })
      copyFileSync(join(ROOT, file), join(clone, file))
    }
  }
  return files.length
}

async function firstPage(start: Program, port: number): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS
  while (!start.hasEnded && performance.now() < deadline) {
    const response = await request(`http://localhost:${port}`, { path: '/', withinMs: 5_000 }).catch(() => null)
    if (response?.status === 200) return
    await sleep(50)
  }
  throw new Error(`npm start did not come to its first page:\n${start.output}`)
}

/** Signals the whole process group, as Ctrl-C does. */
async function endGroup(start: Program): Promise<void> {
  if (start.hasEnded) return
  process.kill(-start.id, 'SIGTERM')
  await start.ended
}

async function timeTests(clone: string, environment: NodeJS.ProcessEnv): Promise<Finding> {
  const startedAt = performance.now()
  const what = '`npm test` in that clone'
  const goal = { is: 'at most', value: 6 } as const
  const failure = await promisify(execFile)('npm', ['test'], {
    cwd: clone,
    env: environment,
    maxBuffer: 64_000_000,
  }).then(
    () => null,
    (error: unknown) => error as Error & { stdout?: string },
  )
  const minutes = (performance.now() - startedAt) / 60_000
  if (!failure) return { what, goal, unit: 'minutes', digits: 1, rounds: [minutes] }
  process.stderr.write(`${(failure.stdout ?? failure.message).slice(-4_000)}\n`)
  return {
    what,
    goal,
    unit: 'minutes',
    digits: 1,
    rounds: [],
    missing: `it failed after ${minutes.toFixed(1)} minutes`,
  }
}
