import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#contract/all-endpoints.ts'
import { errors } from '#contract/errors.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

interface Operation {
  operationId: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
interface Description {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

const app = useTestApp()
let description: Description

beforeAll(async () => {
  description = (await app().browser().get('/api/openapi.json')).body as Description
})

test('the description is OpenAPI 3.1 of this site', () => {
  const { openapi, info, servers, components } = description
  expect(openapi).toMatch(/^3\.1\.\d$/)
  expect(info.title).not.toBe('')
  expect(info.version).not.toBe('')
  expect(servers).toEqual([{ url: 'http://localhost:3000' }])
  expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } })
})

test('it lists exactly the calls of the contract', () => {
  const { paths } = description
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  )
})

test('every name is unique, and every reference resolves', () => {
  const whole = description
  const ids = Object.values(whole.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, reference = ''] of JSON.stringify(whole).matchAll(/"\$ref":"([^"]+)"/g)) {
    const target = reference
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], whole)
    expect(target, reference).toBeDefined()
  }
})

test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s: who may call it, its input, its output and its failures are documented',
  (_name, endpoint) => {
    const { method, access, params, body, uploadBytes, query, reply, media, status = 200, failures } = endpoint
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operation = description.paths[path]?.[method.toLowerCase()]
    if (!operation) throw new Error(`${method} ${path} is not described`)
    const { security, requestBody, parameters, responses } = operation

    const bearers = {
      member: [{ bearer: [] }],
      officer: [{ bearer: [] }],
      optional: [{}, { bearer: [] }],
      anyone: [],
      signed: [],
    }
    expect(security).toEqual(bearers[access])

    expect(requestBody !== undefined).toBe((body ?? uploadBytes) !== undefined)
    expect(parameters !== undefined).toBe(query !== undefined || params !== undefined)
    const inPath = parameters?.filter((parameter) => parameter.in === 'path') ?? []
    expect(inPath.map(({ name, required }) => required && `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
    const accepted = uploadBytes === undefined ? 'application/json' : 'application/octet-stream'
    if (requestBody) expect(JSON.stringify(requestBody.content[accepted]?.schema).length).toBeGreaterThan(20)
    expect(responses[status]?.content !== undefined).toBe((reply ?? media) !== undefined)

    for (const code of failures) expect(responses[errors[code].status]?.description).toContain(code)
  },
)
