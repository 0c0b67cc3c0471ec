import { useSearchParams } from 'react-router'
import { getMember, type ConsoleMember } from '#contract/console/member.ts'
import { useAction, type Action } from '#web/console/shell/use-action.ts'
import { useLoaded, type Loaded } from '#web/console/shell/use-loaded.ts'

/** Small forms and questions about one member; the open one is in the address. */
export const MEMBER_DIALOGS = ['term', 'stop', 'edit', 'record', 'disable', 'email', 'end', 'view'] as const
export type MemberDialog = (typeof MEMBER_DIALOGS)[number]

export interface MemberEditor {
  loaded: Loaded<ConsoleMember>
  action: Action
  /** Runs an action (`saveAsOfficer`) that returns the updated member, and shows it. */
  runAction(name: string, call: () => Promise<ConsoleMember>, done: string): Promise<boolean>
  dialog: MemberDialog | null
  openDialog(name: MemberDialog): void
  closeDialog(): void
}

/** A member, the open dialog and the state of the last action. */
export function useMember(id: string): MemberEditor {
  const loaded = useLoaded(getMember, { params: { id } })
  const action = useAction()
  const [params, setParams] = useSearchParams()

  const setDialog = (name: MemberDialog | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (name === null) next.delete('open')
        else next.set('open', name)
        return next
      },
      { preventScrollReset: true, replace: name === null },
    )

  return {
    loaded,
    action,
    runAction: (name, call, done) => action.run(name, async () => loaded.setValue(await call()), done),
    dialog: MEMBER_DIALOGS.find((one) => one === params.get('open')) ?? null,
    openDialog: setDialog,
    closeDialog: () => setDialog(null),
  }
}
