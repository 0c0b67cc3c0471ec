import type { FastifyInstance } from 'fastify'
import { toJSONSchema } from 'zod/v4/core'
import { endpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errors, type ErrorCode } from '#contract/errors.ts'
import type { PreparedResponse } from '#server/pages/prepared-response.ts'
import { JSON_TYPE, createSharedResponse, sendSharedResponse } from './pipelining/shared-responses.ts'

/** Serves `/api/openapi.json`, generated from the contract. */
export function openApiRoutes(app: FastifyInstance, siteUrl: string): void {
  // Half a megabyte that is rarely requested: generated on first use.
  let response: Promise<PreparedResponse> | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    response ??= createSharedResponse(JSON_TYPE, JSON.stringify(describeApi(siteUrl)))
    return sendSharedResponse(request, reply, await response)
  })
}

function describeApi(siteUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: "The association's website", version: '1' },
    servers: [{ url: siteUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema },
    },
  }
}

const errorSchema = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string' },
    code: { enum: Object.keys(errors) },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
    retryAfter: { type: 'integer' },
    limit: { type: 'integer' },
    window: { type: 'integer' },
  },
}

function describeOperation({
  name,
  summary,
  access,
  params,
  body,
  uploadBytes,
  query,
  reply,
  media,
  status = 200,
  failures,
}: Endpoint): object {
  const shared: ErrorCode[] = ['INVALID_INPUT', 'RATE_LIMITED', 'INTERNAL']
  const byStatus = new Map<number, ErrorCode[]>()
  const officerErrors: ErrorCode[] = ['NOT_AN_OFFICER', 'NOT_ALLOWED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_AGAIN']
  for (const code of [...failures, ...shared, ...(access === 'officer' ? officerErrors : [])]) {
    byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code])
  }
  const security = {
    member: [{ bearer: [] }],
    officer: [{ bearer: [] }],
    optional: [{}, { bearer: [] }],
    anyone: [],
    signed: [],
  }[access]
  return {
    operationId: name,
    summary,
    security,
    ...((params ?? query) && {
      parameters: [...describeParameters(params, 'path'), ...describeParameters(query, 'query')],
    }),
    ...(uploadBytes !== undefined && {
      requestBody: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
    }),
    ...(body && {
      requestBody: { content: { 'application/json': { schema: toJSONSchema(body, { io: 'input' }) } } },
    }),
    responses: {
      [status]: {
        description: 'Done',
        ...(media && { content: { [media]: { schema: { type: 'string', format: 'binary' } } } }),
        ...(reply && { content: { 'application/json': { schema: toJSONSchema(reply) } } }),
      },
      ...Object.fromEntries(
        [...byStatus].map(([errorStatus, codes]) => [
          errorStatus,
          {
            description: codes.join(', '),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  }
}

function describeParameters(schema: Endpoint['query'], location: 'path' | 'query'): object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema,
  }))
}
