import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#server/config/config.ts'
import { SITE_PROCESS } from '#tools/site-process.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const unit = read('deploy/association.service')
const containerfile = read('deploy/Containerfile')

test('the settings of a server, filled in as they stand, start a production site without stand-ins', () => {
  const settings = parseEnv(read('deploy/site.env.example'))
  expect(readConfig(settings)).toMatchObject({ production: true, standinsUrl: null, trustProxy: 1, host: '127.0.0.1' })
  const optional = parseEnv(read('deploy/site.env.example').replaceAll(/^#(?=[A-Z_]+=\S)/gm, ''))
  expect(readConfig(optional).mail.dkim?.privateKey).toContain('KEY-----\n')
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
  const used = [...containerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version)
  expect([used.length, new Set(used)]).toEqual([3, pinned])
})

test('what the container copies is there, and its secrets are the files the compose file names', () => {
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  expect(copied.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  const { services, secrets } = parse(read('deploy/compose.yaml')) as {
    services: Record<string, { secrets: (string | { source: string; target: string })[]; read_only?: boolean }>
    secrets: Record<string, { file: string }>
  }
  const used = Object.values(services).flatMap((service) =>
    service.secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)),
  )
  expect(used.sort()).toEqual(Object.keys(secrets).sort())
  expect(services['site']?.read_only).toBe(true)
  expect(containerfile).toContain('/run/secrets/site.env')
})
