import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Daemon, notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { freePort, TREE } from '#tests/trust/faults/processes.ts'
import { request } from '#tests/trust/http.ts'
import { until } from '#tests/trust/load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const METRICS_TOKEN = 'a-token-of-the-row-about-prometheus'
const WITHIN_MS = 40_000
/** Of Prometheus itself. */
const ITS_OWN = new Set(['up'])
/** SQLite has none. */
const OF_POSTGRESQL = new Set(['database_connections'])

interface Rule {
  name: string
  query: string
  health: string
  lastError?: string
  state: string
}

export const row: TrustRow = {
  id: 'T75',
  promise: 'Prometheus reads the metrics, and the alert rules mean something',
  gate: false,
  target:
    'promtool accepts docs/prometheus.yml, docs/alerts.yml and /metrics; a Prometheus with both files scrapes the site; every rule is evaluated without an error and asks for metrics that exist; nothing fires on a site in order, SiteDown fires when it is killed',
  async run({ world: start }) {
    const absent = notRun([{ program: 'prometheus', debianPackage: 'prometheus' }])
    if (absent) return absent
    const faults = new Faults()
    const world = await start({ environment: { METRICS_TOKEN } })
    const folder = mkdtempSync(join(tmpdir(), 'association-prometheus-'))
    const port = await freePort()
    writeSettings(folder, world)
    const metrics = await request(world.site.origin, {
      path: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
    for (const [words, input] of [
      [['check', 'config', '--syntax-only', join(TREE, 'docs', 'prometheus.yml')], ''],
      [['check', 'config', join(folder, 'prometheus.yml')], ''],
      [['check', 'rules', join(TREE, 'docs', 'alerts.yml')], ''],
      [['check', 'metrics'], metrics.text],
    ] as const) {
      const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8', input })
      faults.expect(status === 0, `promtool ${words.slice(0, 2).join(' ')}`, stdout + stderr)
    }

    const prometheus = new Daemon('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ])
    const origin = `http://127.0.0.1:${port}`
    const query = async (text: string): Promise<{ metric: object; value: [number, string] }[]> =>
      (await request(origin, { path: `/api/v1/query?${new URLSearchParams({ query: text })}` })).body.data.result
    const rules = async (): Promise<Rule[]> =>
      (await request(origin, { path: '/api/v1/rules' })).body.data.groups.flatMap(
        (group: { rules: Rule[] }) => group.rules,
      )
    try {
      const isScraped = await until(async () => (await query('up').catch(() => []))[0]?.value[1] === '1', {
        withinMs: WITHIN_MS,
        everyMs: 200,
      })
      faults.expect(isScraped !== null, 'not scraped', prometheus.output.slice(-300))
      const isEvaluated = await until(async () => (await rules()).every(({ health }) => health !== 'unknown'), {
        withinMs: WITHIN_MS,
        everyMs: 200,
      })
      faults.expect(isEvaluated !== null, 'rules not evaluated')
      const inOrder = await rules()
      for (const { name, health, lastError, state } of inOrder) {
        faults.expect(health === 'ok', `${name} is not evaluated`, lastError)
        faults.expect(state !== 'firing', `${name} fires on a site in order`)
      }
      const asked = new Set(inOrder.flatMap(({ query: text }) => namesIn(text)))
      for (const name of asked) {
        if (ITS_OWN.has(name) || (world.engine === 'SQLite' && OF_POSTGRESQL.has(name))) continue
        faults.expect((await query(name)).length > 0, `no metric ${name}`)
      }
      await world.site.program.kill()
      const isDown = await until(
        async () => (await rules()).some(({ name, state }) => name === 'SiteDown' && state === 'firing'),
        { withinMs: WITHIN_MS, everyMs: 200 },
      )
      faults.expect(isDown !== null, 'SiteDown does not fire')
      return {
        passed: faults.count === 0,
        reached: `${inOrder.length} rules evaluated over ${asked.size} metrics, none firing; SiteDown fired after the site was killed; faults: ${faults}`,
        notes: `ran: ${versionOf('promtool', '--version')}, ${versionOf('prometheus', '--version')}; both files as shipped, except for the address, the token's file, scraping each second, and two minutes that are three seconds`,
      }
    } finally {
      await prometheus.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** As shipped, but faster. */
function writeSettings(folder: string, { site }: World): void {
  const shipped = (file: string) => readFileSync(join(TREE, 'docs', file), 'utf8')
  const settings = shipped('prometheus.yml')
    .replace('127.0.0.1:3000', new URL(site.origin).host)
    .replace('/etc/prometheus/association-token', join(folder, 'token'))
    .replace('scrape_interval: 30s', 'scrape_interval: 1s')
  writeFileSync(join(folder, 'prometheus.yml'), `global:\n  evaluation_interval: 1s\n${settings}`)
  writeFileSync(join(folder, 'alerts.yml'), shipped('alerts.yml').replace('for: 2m', 'for: 3s'))
  writeFileSync(join(folder, 'token'), METRICS_TOKEN)
}

/** The metrics of an expression: words that are neither functions, labels nor aggregations. */
function namesIn(expression: string): string[] {
  const plain = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|ignoring|on|without)\s*\([^)]*\)/g, ' ')
  return [...plain.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/gi)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(?:and|or|unless|by|on|ignoring|e\d+|bool)$/.test(name))
}
