import { createHash } from 'node:crypto'
import type { Package } from './dependencies.ts'

interface Component {
  type: 'library' | 'application'
  'bom-ref': string
  name: string
  version: string
  purl: string
  scope: 'required' | 'optional'
  licenses: [{ license: { id: string } } | { expression: string }]
  hashes: { alg: 'SHA-512'; content: string }[]
}

export interface BillOfMaterials {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  serialNumber: string
  version: 1
  metadata: { component: { type: 'application'; 'bom-ref': string; name: string; version: string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * The production packages in CycloneDX format: identical for identical lock files, so that a difference means a changed package. A package installed
 * twice is listed once.
 */
export function billOfMaterials(
  packages: readonly Package[],
  project: { name: string; version: string; direct: ReadonlySet<string> },
): BillOfMaterials {
  const shipped = packages.filter(({ dev }) => !dev)
  const refs = new Map(shipped.map((one) => [one.path, purlOf(one)]))
  const components = [...new Map(shipped.map((one) => [purlOf(one), componentOf(one)])).values()]
  const own = `pkg:npm/${project.name}@${project.version}`
  const refsOf = (paths: Iterable<string>): string[] =>
    [...new Set([...paths].map((path) => refs.get(path)).filter((ref) => ref !== undefined))].sort()
  const needed = Map.groupBy(shipped, (one) => purlOf(one))
  const bill = {
    bomFormat: 'CycloneDX' as const,
    specVersion: '1.6' as const,
    version: 1 as const,
    metadata: {
      component: { type: 'application' as const, 'bom-ref': own, name: project.name, version: project.version },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: refsOf(project.direct) },
      ...[...needed].map(([ref, ones]) => ({ ref, dependsOn: refsOf(ones.flatMap(({ needs }) => needs)) })),
    ],
  }
  return { ...bill, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(bill))}` }
}

function componentOf(one: Package): Component {
  const [algorithm, digest = ''] = one.integrity.split('-')
  const isExpression = / (?:AND|OR) /.test(one.licence)
  return {
    type: 'library',
    'bom-ref': purlOf(one),
    name: one.name,
    version: one.version,
    purl: purlOf(one),
    scope: one.optional ? 'optional' : 'required',
    licenses: [isExpression ? { expression: one.licence } : { license: { id: one.licence } }],
    hashes: algorithm === 'sha512' ? [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] : [],
  }
}

function purlOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** A version 5 UUID derived from the content. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
