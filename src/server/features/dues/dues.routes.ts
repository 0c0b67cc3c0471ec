import {
  addLevel,
  changePrice,
  getDues,
  listDues,
  reorderLevels,
  previewPrice,
  saveLevel,
  withdrawPrice,
} from '#contract/console/dues.ts'
import { requireOfficer, type Officer, type Server } from '#server/http/serve.ts'
import type { DuesService } from './dues.service.ts'
import type { NewLevels } from './new-levels.service.ts'

export function duesRoutes(server: Server, dues: DuesService, levels: NewLevels): void {
  const mayChange = (officer: Officer | null) => requireOfficer(officer).permissions.includes('money.change')
  const list = async (officer: Officer | null) => ({ levels: await dues.list(), mayChange: mayChange(officer) })
  const read = async (officer: Officer | null, key: string) => ({
    ...(await dues.read(key)),
    mayChange: mayChange(officer),
  })

  server.serve(listDues, ({ officer }) => list(officer))
  server.serve(reorderLevels, async ({ officer, body }) => {
    await dues.reorder(requireOfficer(officer), body.keys)
    return list(officer)
  })
  server.serve(addLevel, async ({ officer, body }) => {
    await levels.add(requireOfficer(officer), body)
    return read(officer, body.key)
  })
  server.serve(getDues, ({ officer, params }) => read(officer, params.key))
  server.serve(previewPrice, ({ params, body }) => dues.preview(params.key, body))
  server.serve(saveLevel, async ({ officer, params, body }) => {
    await dues.save(requireOfficer(officer), params.key, body)
    return read(officer, params.key)
  })
  server.serve(changePrice, async ({ officer, params, body }) => {
    await dues.changePrice(requireOfficer(officer), params.key, body)
    return read(officer, params.key)
  })
  server.serve(withdrawPrice, async ({ officer, params: { key, change } }) => {
    await dues.withdraw(requireOfficer(officer), key, change)
    return read(officer, key)
  })
}
