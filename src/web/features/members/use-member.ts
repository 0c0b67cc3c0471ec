import { getMember, type ConsoleMember } from '#contract/console-member.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { heedOthers } from '#web/features/console/heed-others.ts'
import { useAction, type Action } from '#web/features/console/use-action.ts'
import { useLoaded, type Loaded } from '#web/features/console/use-loaded.ts'

export interface MemberDesk {
  loaded: Loaded<ConsoleMember>
  action: Action
  /** Does something whose answer is the person afterwards, and shows that. */
  act(name: string, call: () => Promise<ConsoleMember>, done: string): Promise<boolean>
}

/** One person, with what was done about them last. */
export function useMember(id: string): MemberDesk {
  const loaded = useLoaded(id, () => callAsOfficer(getMember, { params: { id } }))
  const action = useAction()
  return {
    loaded,
    action,
    act: (name, call, done) =>
      action.run(name, async () => loaded.setValue(await heedOthers(loaded.reload, call)), done),
  }
}
