import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

test('Prometheus scrapes the site directly, since both proxies return 404 for /metrics', () => {
  const { HOST, PORT } = parseEnv(read('deploy/site.env.example'))
  const { scrape_configs } = parse(read('docs/prometheus.yml')) as {
    scrape_configs: { job_name: string; scheme: string; static_configs: { targets: string[] }[] }[]
  }
  expect(scrape_configs.map(({ job_name, scheme }) => [job_name, scheme])).toEqual([['association', 'http']])
  expect(scrape_configs[0]?.static_configs).toEqual([{ targets: [`${HOST}:${PORT}`] }])
})

test('alerts use only metrics and labels that the site exports', () => {
  const { groups } = parse(read('docs/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[]
  }
  const told = ['src/server/monitoring/metrics.ts', 'src/server/lib/traffic.ts'].map(read).join('\n')
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(10)
  for (const { alert, expr, annotations } of rules) {
    const names = expr.match(/\b[a-z]+(?:_[a-z]+)+\b(?! *\()/g) ?? []
    for (const name of names.filter((word) => word !== 'histogram_quantile'))
      expect([alert, told.includes(`'${name.replace(/_bucket$/, '')}'`) ? name : null]).toEqual([alert, name])
    // These functions treat a falling gauge as a counter reset and would alert because something recovered.
    for (const [, name] of expr.matchAll(/(?:increase|rate)\((\w+)/g)) expect(name).toMatch(/_(total|bucket)$/)
    // `job` is Prometheus' own label for the site; ours is `task`.
    if (!expr.startsWith('up{')) expect(expr).not.toMatch(/[{,]job=/)
    expect(annotations.summary).not.toContain('$labels.job')
  }
})
