import type { Package } from './dependencies.ts'

/** Only require keeping the notice. */
const FREE = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
].concat(['CC0-1.0', 'Zlib', 'Python-2.0'])

/** Have further requirements: the package, where it is used, and why it is acceptable. */
const SPECIAL: { licence: string; where: (one: Package) => boolean; reason: string }[] = [
  {
    licence: 'OFL-1.1',
    where: ({ name }) => name.startsWith('@fontsource'),
    reason: 'fonts, served unchanged or subset to the characters of a document, with their license in the package',
  },
  {
    licence: 'LGPL-3.0-or-later',
    where: ({ name }) => name.startsWith('@img/sharp-'),
    reason: 'libvips, a shared library that anyone may replace; it is used, not changed',
  },
  {
    licence: 'MPL-2.0',
    where: ({ dev }) => dev,
    reason: 'tools for building and testing, used unchanged and not on a server',
  },
  { licence: 'CC-BY-4.0', where: ({ dev }) => dev, reason: 'tables for building, not on a server' },
]

/** The licenses in an SPDX expression that are not allowed for a package; empty when it may be used. */
export function disallowedLicenses(one: Package): string[] {
  if (one.licence === '') return ['no license']
  const ways = one.licence.replaceAll(/[()]/g, '').split(' OR ')
  const refusals = ways.map((way) => way.split(' AND ').filter((licence) => !isAllowed(licence.trim(), one)))
  return refusals.some((refused) => refused.length === 0) ? [] : [...new Set(refusals.flat())]
}

function isAllowed(licence: string, one: Package): boolean {
  return FREE.includes(licence) || SPECIAL.some((special) => special.licence === licence && special.where(one))
}

/** The page `docs/licenses.md`. */
export function licensePage(packages: readonly Package[], direct: ReadonlySet<string>): string {
  const shipped = packages.filter(({ dev }) => !dev)
  const tools = packages.filter(({ dev }) => dev)
  return `# Licenses

Written by \`npm run sbom\` from the lock files; do not edit. The project itself is under the MIT license (\`LICENSE\`). The bill of materials with versions, checksums
and who needs whom is [sbom.cdx.json](sbom.cdx.json) (CycloneDX).

Allowed everywhere: ${FREE.join(', ')}. Besides:

${SPECIAL.map(({ licence, reason }) => `- ${licence}: ${reason}`).join('\n')}

Anything else stops \`npm run sbom\`.

## On a server: ${shipped.length} packages, ${shipped.filter(({ path }) => direct.has(path)).length} of them chosen by us

Those marked "one of" are installed only where the machine is of their kind.

| Package | Version | License | |
|---|---|---|---|
${shipped.map((one) => `| ${one.name} | ${one.version} | ${one.licence} | ${noteOf(one, direct)} |`).join('\n')}

## For building and testing only: ${tools.length} packages

| License | Packages |
|---|---|
${[...Map.groupBy(tools, ({ licence }) => licence)]
  .sort(([, a], [, b]) => b.length - a.length)
  .map(([licence, ones]) => `| ${licence} | ${ones.length} |`)
  .join('\n')}
`
}

function noteOf(one: Package, direct: ReadonlySet<string>): string {
  return [...(direct.has(one.path) ? ['chosen'] : []), ...(one.optional ? ['one of'] : [])].join(', ')
}
