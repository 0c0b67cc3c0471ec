import type { AppContext } from '#server/app-context.ts'
import type { NewsletterDetail, listNewsletters, saveNewsletter } from '#contract/console/newsletter.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer } from '#server/http/serve.ts'
import { countSubscribers } from '../subscribers/subscriber.repository.ts'
import type { CampaignEditor } from './campaign-editor.service.ts'

/** Newsletters in the console. Methods on one throw Problem NOT_FOUND, and CHANGED_MEANWHILE on a version conflict. */
export function createComposingService({ db }: AppContext, { editor }: { editor: CampaignEditor }) {
  async function read(id: string): Promise<NewsletterDetail> {
    const [detail, counts] = await Promise.all([editor.read(id), countSubscribers(db)])
    const { subscribed = 0, pending = 0, left = 0, bounced = 0, complained = 0 } = counts
    return { ...detail, readers: subscribed, audience: { subscribed, pending, left, bounced, complained } }
  }

  return {
    read,
    preview: editor.preview,
    sendTest: editor.sendTest,

    async list(query: QueryOf<typeof listNewsletters>): Promise<ReplyOf<typeof listNewsletters>> {
      const [found, { subscribed = 0 }] = await Promise.all([editor.list(query), countSubscribers(db)])
      return { ...found, subscribers: subscribed }
    },

    create: async (by: Officer, name: string): Promise<NewsletterDetail> => read(await editor.create(by, name)),

    /** @throws as `requireEditable` does */
    async save(by: Officer, id: string, body: BodyOf<typeof saveNewsletter>): Promise<NewsletterDetail> {
      await editor.save(by, id, body)
      return read(id)
    },
  }
}

export type ComposingService = ReturnType<typeof createComposingService>
