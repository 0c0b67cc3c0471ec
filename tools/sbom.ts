import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { billOfMaterials, type BillOfMaterials } from './bill-of-materials.ts'
import { readDirect, readPackages } from './dependencies.ts'
import { licensePage, disallowedLicenses } from './licenses.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** The second holds the Node that runs the project when the installed one is too old. */
const FOLDERS = [ROOT, join(ROOT, 'tools', 'runtime')]
const BILL = join(ROOT, 'docs', 'sbom.cdx.json')
const PAGE = join(ROOT, 'docs', 'licenses.md')

/** The expected content of the two files, and packages that may not be used. */
export function describeSupplies(): { bill: BillOfMaterials; page: string; refused: string[] } {
  const packages = FOLDERS.flatMap((folder) => readPackages(folder))
  const direct = new Set(
    FOLDERS.flatMap((folder) => Object.keys(readDirect(folder).production).map((name) => `node_modules/${name}`)),
  )
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>
  return {
    bill: billOfMaterials(packages, { name: name ?? '', version: version ?? '', direct }),
    page: licensePage(packages, direct),
    refused: packages.flatMap((one) =>
      disallowedLicenses(one).map(
        (licence) => `${one.name} ${one.version}: ${licence}${one.dev ? ' (for building)' : ''}`,
      ),
    ),
  }
}

/** `npm run sbom`: writes both files. `npm run sbom -- --check` only compares them, for CI. */
export function runSbom(words: readonly string[], say: (line: string) => void): number {
  const { bill, page, refused } = describeSupplies()
  for (const line of refused) say(`Not allowed (tools/licenses.ts): ${line}`)
  const files = [
    { file: BILL, text: `${JSON.stringify(bill, null, 1)}\n` },
    { file: PAGE, text: page },
  ]
  if (words.includes('--check')) {
    const old = files.filter(({ file, text }) => readOrEmpty(file) !== text)
    for (const { file } of old) say(`${file} is not what the lock files say: run "npm run sbom".`)
    return old.length > 0 || refused.length > 0 ? 1 : 0
  }
  for (const { file, text } of files) {
    writeFileSync(file, text)
    say(`${file}: ${Math.ceil(text.length / 1_000)} kB`)
  }
  say(`${bill.components.length} packages run on a server.`)
  return refused.length > 0 ? 1 : 0
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

if (import.meta.main) process.exitCode = runSbom(process.argv.slice(2), (line) => console.log(line))
