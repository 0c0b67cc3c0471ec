import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from '../http.ts'
import { until } from '../load.ts'
import { isInstalled } from './counterparts.ts'
import { freePort, TREE } from './processes.ts'

/** A proxy with its file in `deploy/`, in front of the site. */
export interface ShippedProxy {
  name: 'nginx' | 'Caddy' | 'HAProxy'
  origin: string
  /** All of its output, access log and error log. */
  logs(): string
  stop(): Promise<void>
}

export const deployed = (file: string) => readFileSync(join(TREE, 'deploy', file), 'utf8')

/** Starts the installed ones; returns the names of the others. */
export async function startShippedProxies(siteOrigin: string): Promise<{ proxies: ShippedProxy[]; missing: string[] }> {
  const site = new URL(siteOrigin).host
  const proxies: ShippedProxy[] = []
  const missing: string[] = []
  for (const [name, program, start] of [
    ['nginx', 'nginx', startNginx],
    ['Caddy', 'caddy', startCaddy],
  ] as const) {
    if (isInstalled(program)) proxies.push(await start(program, site))
    else missing.push(name)
  }
  return { proxies, missing }
}

/** As shipped, except for ports, names and the certificate. */
async function startNginx(program: string, site: string): Promise<ShippedProxy> {
  const [folder, port] = [newProxyFolder(), await freePort()]
  const whole = deployed('nginx.conf')
  // Without the two that only redirect to https.
  const shipped = (whole.slice(0, whole.indexOf('\nserver {')) + whole.slice(whole.lastIndexOf('\nserver {')))
    .replace('server 127.0.0.1:3000;', `server ${site};`)
    .replaceAll(/^\s*listen .*443.*$/gm, '')
    .replaceAll(/^\s*listen (?:\[::\]:)?80;$/gm, '')
    .replaceAll(/^\s*ssl_.*$/gm, '')
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replaceAll(/server_name (.*);/g, (_, names: string) => `listen 127.0.0.1:${port}; server_name ${names};`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => {
    mkdirSync(join(folder, part))
    return `${part}_temp_path ${join(folder, part)};`
  })
  const settings = `daemon off; worker_processes 1; pid ${folder}/pid; events {} http { ${places.join(' ')}\n${shipped}\n}`
  writeFileSync(join(folder, 'nginx.conf'), settings)
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'start.log')])
  return waitUntilReady({ name: 'nginx', folder, port, child, host: 'www.example.org' })
}

async function startCaddy(program: string, site: string): Promise<ShippedProxy> {
  const [folder, port] = [newProxyFolder(), await freePort()]
  const shipped = deployed('Caddyfile')
    .replace(/^\{\n/m, '{\n\tauto_https off\n\tadmin off\n')
    .replace(/^example\.org \{/m, `http://example.org:${port} {`)
    .replace(/^www\.example\.org \{/m, `http://www.example.org:${port} {`)
    .replace('reverse_proxy 127.0.0.1:3000', `reverse_proxy ${site}`)
    .replace('/var/log/caddy/', `${folder}/`)
  writeFileSync(join(folder, 'Caddyfile'), shipped)
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  return waitUntilReady({ name: 'Caddy', folder, port, child, host: 'www.example.org' })
}

export function newProxyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'association-proxy-'))
  // nginx's workers run as another user.
  chmodSync(folder, 0o777)
  return folder
}

export async function waitUntilReady({
  name,
  folder,
  port,
  child,
  host,
}: Pick<ShippedProxy, 'name'> & {
  folder: string
  port: number
  child: ChildProcess
  host: string
}): Promise<ShippedProxy> {
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const origin = `http://127.0.0.1:${port}`
  const isThere = await until(
    async () => (await request(origin, { path: '/healthz', headers: { host } }).catch(() => null))?.status === 200,
    { withinMs: 10_000 },
  )
  const written = () =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.log'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n')
  if (!isThere) {
    child.kill()
    throw new Error(`${name} does not answer: ${said}\n${existsSync(folder) ? written() : ''}`)
  }
  return {
    name,
    origin,
    logs: () => `${said}\n${written()}`,
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
