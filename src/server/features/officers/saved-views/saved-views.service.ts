import type { AppContext } from '#server/app-context.ts'
import { OWN_VIEWS_MAX, SHARED_VIEWS_MAX, type SavedView, type saveView } from '#contract/console/people/saved-views.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { deleteView, findView, listViews, saveView as storeView, type StoredView } from './saved-views.repository.ts'

/** Saved views of the console's lists. */
export function createSavedViewsService({ db, clock }: AppContext) {
  async function list({ accountId, permissions }: Officer, name: string): Promise<SavedView[]> {
    const views = await listViews(db, { list: name, ownerId: accountId })
    const isManager = permissions.includes('officers.change')
    return views.map((view) => toView(view, { accountId, isManager }))
  }

  return {
    list,

    /** @throws Problem VIEWS_FULL */
    async save(by: Officer, { list: name, ...view }: BodyOf<typeof saveView>): Promise<SavedView[]> {
      const ownerId = by.accountId
      const others = (await listViews(db, { list: name, ownerId })).filter(
        (one) => one.ownerId !== ownerId || one.name !== view.name,
      )
      const own = others.filter((one) => one.ownerId === ownerId && !one.isShared).length
      const shared = others.filter((one) => one.isShared).length
      if (view.isShared ? shared >= SHARED_VIEWS_MAX : own >= OWN_VIEWS_MAX) throw new Problem('VIEWS_FULL')
      await storeView(db, { ...view, list: name, ownerId }, clock.now())
      return list(by, name)
    },

    /** Officers delete their own views; who manages officers also deletes shared ones. @throws Problem NOT_FOUND */
    async delete(by: Officer, id: string): Promise<SavedView[]> {
      const view = await findView(db, id)
      const isOwn = view?.ownerId === by.accountId
      const mayDelete = isOwn || (view?.isShared === true && by.permissions.includes('officers.change'))
      if (!view || !mayDelete) throw new Problem('NOT_FOUND')
      await deleteView(db, id)
      return list(by, view.list)
    },
  }
}

export type SavedViewsService = ReturnType<typeof createSavedViewsService>

function toView(
  { id, name, query, isShared, ownerId, ownerName }: StoredView,
  { accountId, isManager }: { accountId: string; isManager: boolean },
): SavedView {
  const isOwn = ownerId === accountId
  return {
    id,
    name,
    query,
    isShared,
    by: isOwn ? null : (ownerName ?? 'A former member'),
    mayDelete: isOwn || isManager,
  }
}
