import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Daemon } from '../faults/counterparts.ts'
import type { Faults } from '../row.ts'

const SQLMAP_MS = 120_000

/** Tries every parameter of a call's query or JSON body. Returns how many it tried, and what it says if one is injectable. */
export async function runSqlmap(
  url: string,
  { data, folder, faults }: { data?: object | undefined; folder: string; faults: Faults },
): Promise<{ tried: number; finding: string | null }> {
  const sqlmap = new Daemon(
    'sqlmap',
    [
      ['-u', url, '--batch', '--disable-coloring', '--output-dir', folder],
      ['--level=1', '--risk=1', '--technique=BEUS', '--threads=4', '--ignore-code=400,401,403,404,429'],
      ['--flush-session'],
      data ? ['--data', JSON.stringify(data), '--headers', 'Content-Type: application/json'] : [],
    ].flat(),
  )
  const isDone = await sqlmap.finish(SQLMAP_MS)
  faults.expect(isDone, `sqlmap did not end in time: ${url}`)
  const { output } = sqlmap
  const tries = [
    ...output.matchAll(
      /testing if .*? parameter '([^']+)' is dynamic|testing for SQL injection on .*? parameter '([^']+)'/g,
    ),
  ]
  faults.expect(tries.length > 0, `sqlmap tried no parameter: ${url}`, output.slice(-200))
  const isFound = /is vulnerable|identified the following injection/.test(output)
  return {
    tried: new Set(tries.map(([, one, other]) => one ?? other)).size,
    finding: isFound ? output.slice(-300) : null,
  }
}

/** Crawls a site. Returns its findings by kind, with an empty list for each kind it looked for and did not find; null without a report. */
export async function runWapiti(
  origin: string,
  { folder, seconds, faults }: { folder: string; seconds: number; faults: Faults },
): Promise<{ found: Map<string, unknown[]>; pages: number | undefined } | null> {
  const report = join(folder, 'wapiti.json')
  rmSync(report, { force: true })
  const wapiti = new Daemon(
    'wapiti',
    [
      ['-u', `${origin}/`, '--scope', 'domain', '-m', 'sql,xss,exec,file,crlf,redirect,permanentxss,ssrf'],
      ['--max-scan-time', String(seconds), '--flush-session', '--no-bugreport', '-f', 'json', '-o', report],
      ['--store-session', folder],
    ].flat(),
  )
  const isDone = await wapiti.finish((seconds + 90) * 1_000)
  faults.expect(isDone, 'wapiti did not end in time', origin)
  try {
    const read = JSON.parse(readFileSync(report, 'utf8')) as {
      vulnerabilities: Record<string, unknown[]>
      infos: { crawled_pages_nbr?: number }
    }
    return { found: new Map(Object.entries(read.vulnerabilities)), pages: read.infos.crawled_pages_nbr }
  } catch {
    faults.add('wapiti wrote no report', wapiti.output.slice(-300))
    return null
  }
}
