import { getMember, type ConsoleMember } from '#contract/console/member.ts'
import { useAction, type Action } from '#web/console/shell/use-action.ts'
import { useLoaded, type Loaded } from '#web/console/shell/use-loaded.ts'

export interface MemberEditor {
  loaded: Loaded<ConsoleMember>
  action: Action
  /** Runs an action (`saveAsOfficer`) that returns the updated member, and shows it. */
  runAction(name: string, call: () => Promise<ConsoleMember>, done: string): Promise<boolean>
}

/** A member and the state of the last action. */
export function useMember(id: string): MemberEditor {
  const loaded = useLoaded(getMember, { params: { id } })
  const action = useAction()
  return {
    loaded,
    action,
    runAction: (name, call, done) => action.run(name, async () => loaded.setValue(await call()), done),
  }
}
