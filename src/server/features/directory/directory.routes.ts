import {
  addPlantedEntry,
  listPlantedEntries,
  removePlantedEntry,
  traceCopy,
} from '#contract/console/people/planted-entries.ts'
import { getMemberDirectory, removeFromDirectory } from '#contract/console/people/member-directory.ts'
import {
  getDirectoryEntry,
  reportDirectoryMessage,
  searchDirectory,
  sendDirectoryMessage,
} from '#contract/public/my-account/directory.ts'
import { getDirectoryChoice, setDirectoryChoice } from '#contract/public/my-account/directory-choice.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import { signedIn } from '#server/http/signed-in.ts'
import type { DirectoryChoiceService } from './directory-choice.service.ts'
import type { DirectoryMessages } from './directory-messages.service.ts'
import type { DirectoryService } from './directory.service.ts'
import type { CopyTraceService } from './planted/copy-trace.service.ts'
import type { PlantedEntriesService } from './planted/planted-entries.service.ts'

export function directoryRoutes(
  server: Server,
  {
    directory,
    directoryChoices,
    directoryMessages,
    plantedEntries,
    copyTrace,
  }: {
    directory: DirectoryService
    directoryChoices: DirectoryChoiceService
    directoryMessages: DirectoryMessages
    plantedEntries: PlantedEntriesService
    copyTrace: CopyTraceService
  },
): void {
  server.serve(searchDirectory, ({ caller, query }) => directory.search(signedIn(caller), query))
  server.serve(getDirectoryEntry, ({ caller, params }) => directory.entry(signedIn(caller), params.id))
  server.serve(sendDirectoryMessage, ({ caller, params, body }) =>
    directoryMessages.send(signedIn(caller).accountId, params.id, body),
  )
  server.serve(reportDirectoryMessage, ({ caller, params }) =>
    directoryMessages.report(signedIn(caller).accountId, params.id),
  )
  server.serve(getDirectoryChoice, ({ caller }) => directoryChoices.own(signedIn(caller).accountId))
  server.serve(setDirectoryChoice, ({ caller, body }) => directoryChoices.choose(signedIn(caller).accountId, body))
  server.serve(getMemberDirectory, ({ officer, params }) =>
    directoryChoices.describe(requireOfficer(officer), params.id),
  )
  server.serve(removeFromDirectory, ({ officer, params }) =>
    directoryChoices.remove(requireOfficer(officer), params.id),
  )
  server.serve(listPlantedEntries, () => plantedEntries.describe())
  server.serve(addPlantedEntry, ({ officer, body }) => plantedEntries.add(requireOfficer(officer), body))
  server.serve(removePlantedEntry, ({ officer, params }) => plantedEntries.remove(requireOfficer(officer), params.id))
  server.serve(traceCopy, ({ officer, body }) => copyTrace.trace(requireOfficer(officer), body.text))
}
