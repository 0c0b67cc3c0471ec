import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listInstalled, readDirect, readInstalled, readPackages, type Package } from '#tools/dependencies.ts'
import { disallowedLicenses } from '#tools/licenses.ts'
import { describeSupplies, runSbom } from '#tools/sbom.ts'
import { TREE } from '#tests/trust/faults/processes.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

const MOST_DIRECT = 45
const RUNTIME = join(TREE, 'tools', 'runtime')
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const REGISTRY = /^https:\/\/registry\.npmjs\.org\//
const AUDIT_WITHIN_MS = 60_000
/** Where we install packages: install scripts must be disabled everywhere. */
const INSTALLERS = ['tools/setup.mjs', 'deploy/Containerfile']

export const row: TrustRow = {
  id: 'T65',
  promise: 'Dependencies',
  gate: false,
  target:
    '0 known vulnerabilities, at most 45 direct production packages, lock file exact, 0 install scripts needed, every license allowed, bill of materials complete',
  quick: true,
  async run({ quick }) {
    const faults = new Faults()
    const packages = [TREE, RUNTIME].flatMap((folder) => readPackages(folder))
    const direct = Object.keys(readDirect(TREE).production).length
    faults.expect(direct <= MOST_DIRECT, 'too many direct production packages', String(direct))
    requireExact(packages, faults)
    requireLicences(packages, faults)
    const scripts = await requireNoScripts(packages, faults)
    const installed = requireCompleteBill(faults)
    const known: Audit = quick ? { reached: 'the registry was not asked', isWanting: false } : await audit(faults)
    const shipped = packages.filter(({ dev }) => !dev).length
    return {
      passed: faults.count === 0 && !known.isWanting,
      reached: `${direct} direct production packages, ${shipped} with all they need, ${packages.length - shipped} for building and testing; each pinned by checksum; ${installed} installed ones all in the bill of materials; ${new Set(packages.map(({ licence }) => licence)).size} licences, all allowed; with scripts: ${scripts}; ${known.reached}; faults: ${faults}`,
      ...(known.notes && { notes: known.notes }),
    }
  },
}

/** Exact versions, no ranges; each package with a checksum and from the registry; both files agree. */
function requireExact(packages: readonly Package[], faults: Faults): void {
  for (const folder of [TREE, RUNTIME]) {
    const { production, dev } = readDirect(folder)
    const pinned = new Map(readPackages(folder).map(({ path, version }) => [path, version]))
    for (const [name, version] of Object.entries({ ...production, ...dev })) {
      faults.expect(EXACT.test(version), 'a range instead of a version', `${name} ${version}`)
      faults.expect(pinned.get(`node_modules/${name}`) === version, 'the lock file pins another version', name)
    }
  }
  for (const { name, integrity, resolved } of packages) {
    faults.expect(/^sha512-[\w+/]{86}==$/.test(integrity), 'without a checksum', name)
    faults.expect(resolved === null || REGISTRY.test(resolved), 'from outside the registry', `${name} ${resolved}`)
  }
}

function requireLicences(packages: readonly Package[], faults: Faults): void {
  for (const one of packages) {
    const refused = disallowedLicenses(one)
    faults.expect(refused.length === 0, 'a licence that is not allowed', `${one.name}: ${refused.join(', ')}`)
  }
  // Proves that the list can reject.
  const foreign = { ...(packages[0] as Package), name: 'foreign', dev: false }
  for (const licence of ['GPL-3.0-only', 'AGPL-3.0', 'MIT AND GPL-2.0', 'LGPL-3.0-or-later', 'MPL-2.0', 'SSPL-1.0', ''])
    faults.expect(disallowedLicenses({ ...foreign, licence }).length > 0, 'a licence that should be refused', licence)
}

/** Packages with install scripts: installed without them, and working. */
async function requireNoScripts(packages: readonly Package[], faults: Faults): Promise<string> {
  for (const file of INSTALLERS) {
    const commands = readFileSync(join(TREE, file), 'utf8')
      .split('\n')
      .filter((line) => /npm ci|'ci'/.test(line) && !line.trimStart().startsWith('//'))
    const isSilent = (line: string): boolean => /--ignore-scripts|\.\.\.NPM_OPTIONS/.test(line)
    const without = commands.find((line) => !isSilent(line))
    faults.expect(commands.length > 0 && without === undefined, `${file} lets scripts run`, without)
  }
  const setup = readFileSync(join(TREE, 'tools/setup.mjs'), 'utf8')
  faults.expect(/NPM_OPTIONS = \[\s*'--ignore-scripts'/.test(setup), 'the set-up lets scripts run')
  const wishing = packages.filter(({ path, hasInstallScript }) => {
    const installed = readInstalled(TREE, path)
    return hasInstallScript || (installed?.scripts.length ?? 0) > 0
  })
  for (const { name, path } of wishing) {
    if (!readInstalled(TREE, path)) continue
    const isFine = await worksWithout(name)
    faults.expect(isFine, `${name} does not work without its install script`)
  }
  return wishing.length === 0 ? 'none' : `${wishing.map(({ name }) => name).join(', ')} (work without)`
}

/** Uses what an install script would have built, in a separate process. */
const USES: Record<string, string> = {
  'better-sqlite3': `const { default: D } = await import('better-sqlite3'); if (new D(':memory:').prepare('select 7 as n').get().n !== 7) process.exit(1)`,
}

async function worksWithout(name: string): Promise<boolean> {
  const use = USES[name] ?? `await import(${JSON.stringify(name)})`
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', use], { cwd: TREE })
    return true
  } catch {
    return false
  }
}

/**
 * Every package in `node_modules` except tools is in the bill of materials, with its own metadata; files match the lock file. Returns the number of
 * packages.
 */
function requireCompleteBill(faults: Faults): number {
  const said: string[] = []
  faults.expect(runSbom(['--check'], (line) => void said.push(line)) === 0, 'docs are out of date', said.join(' '))
  const { bill } = describeSupplies()
  const named = new Map(bill.components.map((component) => [`${component.name}@${component.version}`, component]))
  faults.expect(named.size === bill.components.length, 'a package is named twice')
  const shipped = new Map(
    readPackages(TREE)
      .filter(({ dev }) => !dev)
      .map((one) => [one.path, one]),
  )
  const tools = new Set(
    readPackages(TREE)
      .filter(({ dev }) => dev)
      .map(({ path }) => path),
  )
  let count = 0
  for (const path of listInstalled(TREE)) {
    if (tools.has(path)) continue
    const installed = readInstalled(TREE, path)
    if (!installed) continue
    count++
    const component = named.get(`${installed.name}@${installed.version}`)
    faults.expect(component !== undefined, 'missing in the bill of materials', path)
    faults.expect((component?.hashes.length ?? 0) === 1, 'without a checksum in the bill', path)
    const pinned = shipped.get(path)?.licence
    faults.expect(pinned === installed.licence, 'says another licence itself', `${path} ${installed.licence}`)
  }
  faults.expect(count > 100, 'hardly anything is installed', String(count))
  const refs = new Set(bill.components.map((component) => component['bom-ref']))
  for (const { dependsOn } of bill.dependencies)
    for (const ref of dependsOn) faults.expect(refs.has(ref), 'needs what is not in the bill', ref)
  return count
}

interface Audit {
  reached: string
  /** Whether the row is responsible for this figure. */
  isWanting: boolean
  notes?: string
}

/** Queries the registry for advisories on the pinned versions; there is no offline list. */
async function audit(faults: Faults): Promise<Audit> {
  const npm = process.env['npm_execpath']
  const [program, words] = npm ? [process.execPath, [npm]] : ['npm', []]
  // npm exits with 1 when it found advisories.
  const text = await promisify(execFile)(program, [...words, 'audit', '--omit=dev', '--json'], {
    cwd: TREE,
    timeout: AUDIT_WITHIN_MS,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  )
  const found = readAudit(text)
  if (!found) {
    const notes = 'Known vulnerabilities could not be looked up: the registry did not answer `npm audit`'
    return { reached: 'known vulnerabilities not looked up', isWanting: true, notes }
  }
  const names = Object.keys(found.vulnerabilities)
  faults.expect(names.length === 0, 'a known vulnerability', names.join(', '))
  return { reached: `${names.length} known vulnerabilities (npm audit)`, isWanting: false }
}

function readAudit(text: string): { vulnerabilities: Record<string, unknown> } | null {
  try {
    const report = JSON.parse(text) as { vulnerabilities?: Record<string, unknown> }
    return report.vulnerabilities ? { vulnerabilities: report.vulnerabilities } : null
  } catch {
    return null
  }
}
