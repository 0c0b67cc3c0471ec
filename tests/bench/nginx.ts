import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchRaw, type RawResponse } from './raw-response.ts'
import { bareEnvironment, Program } from './programs.ts'

/** Headers that nginx writes, or that belong to the connection. */
const ITS_OWN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'server'])

/** A response of the site that nginx serves on a port, byte for byte. */
export interface Copy {
  port: number
  answer: RawResponse
}

/** One worker that serves each copy from a file, as fast as nginx can: no log, files kept open, sendfile, connections kept alive. */
export async function startNginx(program: string, folder: string, copies: readonly Copy[]): Promise<Program> {
  // Its worker runs as another user.
  chmodSync(folder, 0o755)
  for (const part of ['client', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, part), { recursive: true })
  const servers = copies.map((copy) => server(folder, copy))
  const settings = `
    worker_processes 1;
    daemon off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off;
      server_tokens off;
      etag off;
      sendfile on;
      tcp_nopush on;
      open_file_cache max=100;
      open_file_cache_valid 1h;
      keepalive_requests 1000000000;
      client_body_temp_path ${folder}/client;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      ${servers.join('\n')}
    }`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, settings)
  const nginx = new Program(
    program,
    ['-c', file, '-p', folder, '-e', join(folder, 'error.log')],
    join(folder, 'said.log'),
    {
      env: bareEnvironment(),
    },
  )
  for (let tries = 0; tries < 100 && !nginx.hasEnded; tries++) {
    const responses = await Promise.all(copies.map(({ port }) => fetchRaw(urlForPort(port)).catch(() => null)))
    if (responses.every((response) => response?.status === 200)) return nginx
    await sleep(50)
  }
  throw new Error(
    `nginx does not answer:\n${nginx.output}\n${existsSync(join(folder, 'error.log')) ? readFileSync(join(folder, 'error.log'), 'utf8') : ''}`,
  )
}

/** Not `/`, for which nginx would look for an index file. */
export function urlForPort(port: number): string {
  return `http://127.0.0.1:${port}/page`
}

function server(folder: string, { port, answer: response }: Copy): string {
  const file = join(folder, `${port}.body`)
  writeFileSync(file, response.bytes)
  chmodSync(file, 0o644)
  const headers = Object.entries(response.headers)
    .filter(([name]) => !ITS_OWN.has(name))
    .map(([name, value]) => `add_header ${name} ${quoted(String(value))};`)
  return `server {
    listen 127.0.0.1:${port};
    location = /page {
      alias ${file};
      default_type ${quoted(response.headers['content-type'] ?? '')};
      add_header Last-Modified "";
      ${headers.join('\n')}
    }
  }`
}

function quoted(value: string): string {
  if (value.includes('$')) throw new Error(`nginx would look for a variable in ${value}`)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
