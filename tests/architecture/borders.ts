import type { Import } from './modules.ts'

/** Modules that match `from` do not import modules that match `to`. */
interface Border {
  from: RegExp
  except?: RegExp
  to: RegExp
  /** Modules that may be imported although they match `to`. */
  open?: RegExp
  /** Types may cross, since nothing is left of them at run time. */
  allowsTypes?: boolean
  sentence: string
}

const TESTS = /\.test\.tsx?$|^tests\//
/** Creates and starts the application, so it may import features. */
const COMPOSITION = /^src\/server\/(?:composition|admin|monitoring)\/|^src\/server\/[^/]+\.ts$|^src\/server\/features\//

/** What other features may import: actions, reads, writes in the caller's transaction, and pure files. */
const PUBLIC_KINDS = /\.(?:service|queries|commands|rules|schema|registry|kinds|emails|effects)\.ts$/
const SEPARATE_SITES = 'public/, account/ and console/ do not import each other: move what two of them need to shared/.'

const BORDERS: Border[] = [
  {
    from: /^src\/contract\//,
    to: /^(?:src\/(?:server|web)|standins|tests|tools)\//,
    sentence: 'The contract imports nothing but itself: browser and server both depend on it.',
  },
  {
    from: /^src\/web\//,
    to: /^src\/server\//,
    allowsTypes: true,
    sentence: 'The browser takes only types from the server: write `import type`, or use the contract.',
  },
  {
    from: /^src\/web\//,
    except: TESTS,
    to: /^src\/contract\/(?:all-endpoints|endpoint-modules)\.ts$/,
    sentence: 'The browser imports the endpoints it calls: the list of all brings the whole contract into a bundle.',
  },
  {
    from: /^src\/web\//,
    to: /^(?:standins|tests|tools)\//,
    sentence: 'Pages do not import stand-ins, tests or tools.',
  },
  {
    from: /^src\/web\/ui\//,
    to: /^src\/(?:web|contract)\//,
    open: /^src\/web\/ui\/|^src\/contract\/(?:messages|money|dates\/\w+)\.ts$/,
    sentence: 'ui/ holds components without a subject: it imports no page, no call and no endpoint.',
  },
  {
    from: /^src\/web\/api\//,
    to: /^src\/web\//,
    open: /^src\/web\/api\//,
    sentence: 'api/ sends calls and imports nothing else of the browser.',
  },
  {
    from: /^src\/web\/(?:forms|session|shared)\//,
    to: /^src\/web\/(?:public|account|console)\//,
    sentence: 'Pages use forms/, session/ and shared/, which import no page.',
  },
  { from: /^src\/web\/public\//, to: /^src\/web\/(?:account|console)\//, sentence: SEPARATE_SITES },
  { from: /^src\/web\/account\//, to: /^src\/web\/(?:public|console)\//, sentence: SEPARATE_SITES },
  { from: /^src\/web\/console\//, to: /^src\/web\/(?:public|account)\//, sentence: SEPARATE_SITES },
  {
    from: /^src\/web\/.*\.rules\.ts$/,
    to: /^src\/web\/(?:ui|api|app)\/|\.tsx$|^react(?:-dom|-router)?(?:\/|$)/,
    allowsTypes: true,
    sentence: 'Rules are pure: they take values and return one.',
  },
  {
    from: /^src\/server\//,
    to: /^(?:src\/web|standins|tests|tools)\//,
    sentence: 'The server imports the contract and itself: never pages, stand-ins, tests or tools.',
  },
  {
    from: /^src\/server\//,
    except: COMPOSITION,
    to: /^src\/server\/(?:features|composition|admin)\//,
    allowsTypes: true,
    sentence: 'Features use db/, emails/, http/ and jobs/, which import no feature: pass the function in composition/.',
  },
  {
    from: /^src\/server\/features\//,
    to: /^src\/server\/(?:composition|admin)\/|^src\/server\/(?:app|main|start-site)\.ts$/,
    allowsTypes: true,
    sentence: 'A feature does not import composition/, which passes to it what it needs.',
  },
  {
    from: /^src\/server\/.*\.rules\.ts$/,
    to: /^src\/server\/|^(?:kysely|fastify|stripe)$|^node:/,
    open: /\.(?:rules|schema)\.ts$/,
    allowsTypes: true,
    sentence: 'Rules are pure: they import the contract, other rules and types.',
  },
  {
    from: /\.(?:repository|queries|commands)\.ts$/,
    to: /\.(?:service|routes)\.ts$|^src\/server\/(?:http|stripe|emails)\//,
    allowsTypes: true,
    sentence: 'Repositories, queries and commands use the database only: routes -> service -> repository -> db.',
  },
  {
    from: /\.queries\.ts$/,
    to: /\.commands\.ts$/,
    allowsTypes: true,
    sentence: 'Queries only read: they import no commands.',
  },
  {
    from: /\.service\.ts$/,
    to: /\.routes\.ts$|^src\/server\/http\/|^fastify$/,
    allowsTypes: true,
    sentence: 'A service does not depend on HTTP: routes -> service -> repository -> db.',
  },
  {
    from: /\.routes\.ts$/,
    to: /\.(?:repository|queries|commands)\.ts$|^src\/server\/db\/|^kysely$/,
    allowsTypes: true,
    sentence: 'Routes call a service: routes -> service -> repository -> db.',
  },
  {
    from: /^standins\//,
    to: /^(?:src|tests)\//,
    sentence: 'Stand-ins import nothing from src: they speak the protocol of the provider, not ours.',
  },
]

/** Returns the sentences of the borders that an import crosses. Tests may import anything. */
export function crossings(one: Import): string[] {
  if (TESTS.test(one.from)) return []
  const found = BORDERS.filter(
    ({ from, except, to, open, allowsTypes }) =>
      from.test(one.from) &&
      !except?.test(one.from) &&
      to.test(one.to) &&
      !open?.test(one.to) &&
      !(allowsTypes && one.isType),
  ).map(({ sentence }) => sentence)
  const [own, other] = [featureOf(one.from), featureOf(one.to)]
  if (own && other && own !== other && !one.isType && !PUBLIC_KINDS.test(one.to))
    found.push('A feature imports another only through services, queries, commands and pure files, never a repository.')
  return found
}

/** Returns the pairs of features that import values from each other, as `a <> b`. */
export function mutualPairs(imports: readonly Import[]): string[] {
  const pairs = new Set<string>()
  for (const { from, to, isType } of imports) {
    const [own, other] = [featureOf(from), featureOf(to)]
    if (own && other && own !== other && !isType && !TESTS.test(from)) pairs.add(`${own} > ${other}`)
  }
  return [...pairs].flatMap((pair) => {
    const [one = '', two = ''] = pair.split(' > ')
    return one < two && pairs.has(`${two} > ${one}`) ? [`${one} <> ${two}`] : []
  })
}

function featureOf(file: string): string | null {
  return /^src\/server\/features\/([^/]+)\//.exec(file)?.[1] ?? null
}
