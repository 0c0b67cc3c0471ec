import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  addDocument,
  deleteDocument,
  downloadDocumentVersion,
  getDocument,
  listDocuments,
  renameDocument,
  replaceDocument,
  restoreDocument,
} from '#contract/console/website/documents.ts'
import type { AppContext } from '#server/app-context.ts'
import { sendProblem } from '#server/http/error-responses.ts'
import { CLOSED_POLICY } from '#server/http/security-headers.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import type { MediaArchive } from '#server/media-store/media-archive.ts'
import { DOCUMENT_STORE, DOCUMENTS_PATH } from './document-paths.rules.ts'
import type { DocumentService } from './document.service.ts'

/** A PDF may not run scripts, submit forms or open windows, whatever a browser would let it do. */
const DOCUMENT_POLICY = `${CLOSED_POLICY}; sandbox`

export function documentRoutes(server: Server, documents: DocumentService): void {
  server.serve(listDocuments, async ({ query }) => documents.list(query))
  server.serve(getDocument, async ({ params }) => documents.get(params.id))
  server.serve(renameDocument, async ({ officer, params, body }) =>
    documents.rename(requireOfficer(officer), params.id, body),
  )
  server.serve(restoreDocument, async ({ officer, params, body }) =>
    documents.restore(requireOfficer(officer), params.id, body),
  )
  server.serveFile(downloadDocumentVersion, async ({ params }) =>
    documents.readVersion({ id: params.id, number: Number(params.number) }),
  )
  server.serve(deleteDocument, async ({ officer, params, query }) =>
    documents.remove(requireOfficer(officer), { id: params.id, version: Number(query.version) }),
  )
}

/** Routes that read the body only after the caller is authorized. */
export function documentUploadRoutes(server: Server, documents: DocumentService): void {
  server.serve(addDocument, async ({ officer, query, saveUpload }) =>
    documents.add(requireOfficer(officer), { ...query, save: saveUpload }),
  )
  server.serve(replaceDocument, async ({ officer, params, query: { filename, version }, saveUpload }) =>
    documents.replace(
      requireOfficer(officer),
      { id: params.id, version: Number(version) },
      { filename, save: saveUpload },
    ),
  )
}

/** Serves documents to visitors at addresses that stay. Reads from the media store, so that earlier files have no address. */
export function publicDocumentRoutes(app: FastifyInstance, { cache, log }: AppContext, archive: MediaArchive): void {
  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.raw.url?.split('?')[0] ?? ''
    const filename = path.slice(DOCUMENTS_PATH.length)
    const document = cache.content().documents.get(filename)
    if (!document) {
      reply.callNotFound()
      return reply
    }
    const tag = `"${document.sha256.slice(0, 32)}"`
    void reply
      .header('content-security-policy', DOCUMENT_POLICY)
      .header('content-disposition', `attachment; filename="${filename}"`)
      .header('cache-control', 'no-cache')
      .header('etag', tag)
    if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send()
    void reply.type('application/pdf').header('content-length', document.bytes)
    if (request.method === 'HEAD') return reply.send()
    const { bucket, folder } = DOCUMENT_STORE
    const file = await archive.read(`${bucket}/${folder}/${document.storedName}`)
    if (!file) {
      log.error({ document: path }, 'the file of a document is missing')
      void reply.removeHeader('content-length')
      return sendProblem(reply, new Problem('UNAVAILABLE'))
    }
    return reply.send(file)
  }

  app.route({ method: ['GET', 'HEAD'], url: `${DOCUMENTS_PATH}*`, handler: send })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${DOCUMENTS_PATH}*`,
    handler: (_request, reply) => sendProblem(reply.header('allow', 'GET, HEAD'), new Problem('METHOD_NOT_ALLOWED')),
  })
}
