import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from './processes.ts'
import type { LoadBalancer } from './rolling-load.ts'
import { deployed, newProxyFolder, waitUntilReady, type ShippedProxy } from './shipped-proxies.ts'

/** `deploy/haproxy.cfg` in front of two instances: as shipped, except for ports, the certificate, its user and its log. */
export async function startHaproxy(origins: readonly [string, string]): Promise<ShippedProxy & LoadBalancer> {
  const [folder, port] = [newProxyFolder(), await freePort()]
  const [one, two] = origins.map((origin) => new URL(origin).port)
  const plain = /^frontend plain\n(?: .*\n)+/m
  const settings = deployed('haproxy.cfg')
    .replace(plain, '')
    .replace(/^ +(?:user|group) haproxy\n/gm, '')
    .replace('log /dev/log local0', 'log stdout format raw local0')
    .replace('/run/haproxy/admin.sock', join(folder, 'socket'))
    .replace(/^ +bind :443 .*$/m, `    bind 127.0.0.1:${port}`)
    .replace(/^ +bind :::443 .*\n/m, '')
    .replace('server one 127.0.0.1:3000', `server one localhost:${one}`)
    .replace('server two 127.0.0.1:3001', `server two localhost:${two}`)
  writeFileSync(join(folder, 'haproxy.cfg'), settings)
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
  const proxy = await waitUntilReady({ name: 'HAProxy', folder, port, child, host: 'www.example.org' })

  /** The lines of its statistics about the instances, by column. */
  async function servers(): Promise<Record<string, string>[]> {
    const socket = connect(join(folder, 'socket'))
    socket.end('show stat\n')
    const [head = '', ...lines] = (await text(socket)).replace('# ', '').trim().split('\n')
    const columns = head.split(',')
    return lines
      .map((line) => Object.fromEntries(line.split(',').map((value, at) => [columns[at] ?? '', value])))
      .filter(({ pxname, svname }) => pxname === 'association' && (svname === 'one' || svname === 'two'))
  }

  return {
    ...proxy,
    async isReady(origin) {
      const name = origin === origins[0] ? 'one' : 'two'
      return (await servers()).some(({ svname, status }) => svname === name && status === 'UP')
    },
    async sentOn() {
      const sum = (column: string) =>
        servers().then((all) => all.reduce((total, one) => total + Number(one[column]), 0))
      return `${await sum('wretr')} tried again, ${await sum('wredis')} at the other instance`
    },
  }
}
