import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#server/config/config.ts'
import { makePassSettings } from '#tests/support/files/pass-certificates.ts'
import { SITE_PROCESS } from '#tools/site/site-process.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const unit = read('deploy/association.service')
const containerfile = read('deploy/Containerfile')

test('the example settings of a server start a production site without stand-ins', () => {
  const settings = parseEnv(read('deploy/site.env.example'))
  expect(readConfig(settings)).toMatchObject({ production: true, standinsUrl: null, trustProxy: 1, host: '127.0.0.1' })
  const optional = parseEnv(read('deploy/site.env.example').replaceAll(/^#(?=[A-Z_]+=\S)/gm, ''))
  // Certificates are checked, and too long for examples.
  expect(readConfig({ ...optional, ...makePassSettings() }).mail.dkim?.privateKey).toContain('KEY-----\n')
  const documented = parseEnv(read('.env.example').replaceAll(/^#(?=[A-Z])/gm, ''))
  expect(Object.keys(optional).filter((name) => !(name in documented))).toEqual([])
})

test('unit and container start the site as `npm start` does, on the Node this project pins', () => {
  expect(unit).toContain(`node ${SITE_PROCESS.nodeOptions.join(' ')} --env-file=`)
  expect(containerfile).toContain(`"node", ${SITE_PROCESS.nodeOptions.map((option) => `"${option}"`).join(', ')}, `)
  const { optionalDependencies } = JSON.parse(read('tools/runtime/package.json')) as {
    optionalDependencies: Record<string, string>
  }
  const pinned = new Set(Object.values(optionalDependencies))
  const used = /^ARG NODE_IMAGE=docker\.io\/library\/node:([\d.]+)-/m.exec(containerfile)?.[1]
  expect(new Set([used])).toEqual(pinned)
  const bases = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  expect(bases).toEqual(['${NODE_IMAGE}', '${NODE_IMAGE}', '${NODE_IMAGE}'])
})

test('files copied into the container exist, and its secrets match the compose file', () => {
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  expect(copied.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  const { services, secrets } = parse(read('deploy/compose.yaml')) as {
    services: Record<string, { secrets?: (string | { source: string; target: string })[]; read_only?: boolean }>
    secrets: Record<string, { file: string }>
  }
  const used = Object.values(services).flatMap((service) =>
    (service.secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source)),
  )
  expect(used.sort()).toEqual(Object.keys(secrets).sort())
  expect(services['site']?.read_only).toBe(true)
  expect(containerfile).toContain('/run/secrets/site.env')
})

test('going back to the previous release switches the link first, since the newer release would migrate the restored database', () => {
  const wayBack = /^## When it fails$([\s\S]*)/m.exec(read('UPGRADING.md'))?.[1] ?? ''
  const steps = ['systemctl stop association', 'ln -sfn', '--replace', 'systemctl start association']
  const places = steps.map((step) => wayBack.indexOf(step))
  expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true)
  const contained = ['git checkout', 'compose.yaml build', 'stop site', 'restore /backups/before-', 'up -d']
  const found = contained.map((step) => wayBack.indexOf(step, wayBack.indexOf('In containers')))
  expect(found.every((place, index) => place > (found[index - 1] ?? 0))).toBe(true)
})

test('a site whose database is down is restarted until it is back', () => {
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=always$/m)
})

test('nothing kills a site before its graceful stop ends, whatever the grace period', () => {
  const withGrace = (seconds: number) =>
    readConfig({ ...parseEnv(read('deploy/site.env.example')), STOP_GRACE_SECONDS: String(seconds) })
  const LONGEST_GRACE_S = 60
  expect(withGrace(LONGEST_GRACE_S).stopGraceMs).toBe(LONGEST_GRACE_S * 1_000)
  expect(() => withGrace(LONGEST_GRACE_S + 1)).toThrow('STOP_GRACE_SECONDS')
  const within = /FORCE_EXIT_AFTER_MS = ([\d_]+)/.exec(read('src/server/start-site.ts'))?.[1]?.replaceAll('_', '')
  const longest = LONGEST_GRACE_S + Number(within) / 1_000
  const { services } = parse(read('deploy/compose.yaml')) as { services: { site: { stop_grace_period: string } } }
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(longest)
  expect(Number(/^(\d+)s$/.exec(services.site.stop_grace_period)?.[1])).toBeGreaterThan(longest)
})

test('the container includes every file that the server reads by path', () => {
  const last = containerfile.slice(containerfile.lastIndexOf('\nFROM '))
  const copied = [...last.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(([, files = '', target = '']) =>
    files.split(' ').map((file) => [file, target === './' ? file : target]),
  )
  expect(copied.filter(([file, target]) => file !== target)).toEqual([])
  const held = copied.map(([file = '']) => join(ROOT, file))
  const sources = readdirSync(join(ROOT, 'src/server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(ROOT, 'src/server', file))
  const named = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/import\.meta\.dirname, '([^']+)'/g)].map(([, path = '']) =>
      resolve(dirname(file), path),
    ),
  )
  expect(named.length).toBeGreaterThan(3)
  // A container gets its settings as a secret file.
  const needed = named.filter((path) => path !== join(ROOT, '.env'))
  expect(needed.filter((path) => !held.some((place) => path === place || path.startsWith(`${place}/`)))).toEqual([])
})
