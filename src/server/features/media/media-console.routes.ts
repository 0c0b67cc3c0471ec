import {
  addPicture,
  cropPicture,
  deletePicture,
  describePicture,
  getPicture,
  getPictureQueue,
  listPictures,
  orderPictures,
  replacePicture,
  uncropPicture,
} from '#contract/console/media.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { MediaListService } from './media-list.service.ts'
import type { MediaConsoleService } from './media-console.service.ts'

export function mediaConsoleRoutes(server: Server, media: MediaConsoleService, library: MediaListService): void {
  server.serve(listPictures, async ({ query }) => library.list(query))
  server.serve(orderPictures, async ({ officer, params, body }) =>
    library.order(requireOfficer(officer), params, body.filenames),
  )
  server.serve(getPictureQueue, async ({ query }) => ({ ahead: media.queuePosition(query.ticket) }))
  server.serve(describePicture, async ({ officer, params, body }) =>
    media.describe(requireOfficer(officer), params, body),
  )
  server.serve(getPicture, async ({ params }) => media.get(params))
  server.serve(cropPicture, async ({ officer, params, body }) => media.crop(requireOfficer(officer), params, body))
  server.serve(uncropPicture, async ({ officer, params }) => media.uncrop(requireOfficer(officer), params))
  server.serve(replacePicture, async ({ officer, params, body }) =>
    media.replace(requireOfficer(officer), params, body),
  )
  server.serve(deletePicture, async ({ officer, params }) => media.remove(requireOfficer(officer), params))
}

/** Routes that read the body only after the caller is authorized. */
export function uploadRoutes(server: Server, media: MediaConsoleService): void {
  server.serve(addPicture, async ({ officer, params, query, saveUpload }) => {
    const { filename, alt = '', caption = '', personList: list, personName: name, isPrint, ticket } = query
    const person = list !== undefined && name !== undefined ? { list, name } : null
    const description = { alt, caption, person }
    const upload = { ticket, isPrint: isPrint !== undefined, save: saveUpload }
    return media.add(requireOfficer(officer), { ...params, filename }, description, upload)
  })
}
