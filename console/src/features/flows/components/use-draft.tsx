/** Keeps the steps as a draft while they are edited, and publishes it; asks first where someone else was faster. */
import { dataOf } from '@jackfield/sdk'
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { api } from '../../../api/client'
import { isStatus } from '../../../api/errors'
import { complain } from '../../../api/use-action'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { sentSteps } from '../model/step-kinds'
import type { Step } from '../model/steps'
import { type Flow, type FlowDraft, draftQuery, flowQuery, flowsKey, versionsQuery } from '../queries'
import { editorTexts } from '../texts'

/** Typing pauses for so long before a draft is saved. */
const quietMs = 1_200

/** A draft that could not be saved is tried again after this time, or with the next edit. */
const againMs = 10_000

interface DraftOptions {
  steps: readonly Step[]
  hasChanged: boolean
  onSaved: (steps: readonly Step[]) => void
  /** The steps have problems: they cannot be published. */
  onRefused: () => void
  onPublished: (flow: Flow) => void
}

export type DraftState = 'published' | 'draft' | 'unsaved'

export function useDraft(flow: Flow, draft: FlowDraft | null, options: DraftOptions) {
  const { steps, hasChanged, onSaved, onRefused, onPublished } = options
  const t = useTexts(editorTexts)
  const words = useTexts(common)
  const client = useQueryClient()
  const [kept, setKept] = useState(flow)
  /** The version that the steps are based on. */
  const base = useRef(draft?.base_version ?? flow.version)
  /** 0: there is no draft. */
  const revision = useRef(draft?.revision ?? 0)
  const [hasDraft, setHasDraft] = useState(draft !== null)
  const [isPublishing, setPublishing] = useState(false)
  /** `refused`: nothing is saved until the user says so. */
  const [failure, setFailure] = useState<'again' | 'refused' | null>(null)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const params = { path: { id: flow.id } }

  /** Takes the flow's title and settings, but not its steps: those in the editor may be others. */
  const keep = ({ title, trigger_type, dial_code, phone_numbers, updated_at, ...live }: Flow) => {
    // A draft that was made here is not asked for: its steps are those of the editor.
    const has_draft = kept.has_draft && live.has_draft
    const now = { ...kept, title, trigger_type, dial_code, phone_numbers, updated_at, has_draft }
    setKept(now)
    client.setQueryData(flowQuery(flow.id).queryKey, now)
    void client.invalidateQueries({ queryKey: [...flowsKey, 'list'] })
    void client.invalidateQueries({ queryKey: versionsQuery(flow.id).queryKey })
  }
  const ask = (question: 'draft' | 'version', confirm: string, onConfirm: () => void) =>
    modals.openConfirmModal({
      title: t(`taken_${question}`),
      children: <Text>{t(`takenHint_${question}`)}</Text>,
      labels: { confirm, cancel: words('cancel') },
      onConfirm,
    })

  async function put(isMeant: boolean): Promise<boolean> {
    try {
      const body = {
        ...{ nodes: sentSteps(steps), base_version: base.current },
        ...(!isMeant && { revision: revision.current }),
      }
      const saved = await dataOf(api.PUT('/call-flows/{id}/draft', { params, body }))
      revision.current = saved.revision
      setFailure(null)
      if (!hasDraft) void client.invalidateQueries({ queryKey: [...flowsKey, 'list'] })
      setHasDraft(true)
      onSaved(steps)
      return true
    } catch (error) {
      const isTaken = isStatus(error, 409) && !isMeant
      if (isTaken) ask('draft', t('overwrite'), () => void saveNow(true))
      else if (failure === null) complain(error)
      setFailure(isTaken || isStatus(error, 403) ? 'refused' : 'again')
      return false
    }
  }
  // One save at a time: each needs the revision of the one before.
  const latest = useEffectEvent(put)
  const saveNow = async (isMeant = false): Promise<boolean> => {
    const done = queue.current.then(async () => latest(isMeant))
    queue.current = done
    return done
  }
  const autosave = useEffectEvent(() => void saveNow())
  useEffect(() => {
    if (!hasChanged || failure === 'refused' || isPublishing) return undefined
    const timer = setTimeout(autosave, failure === 'again' ? againMs : quietMs)
    return () => clearTimeout(timer)
  }, [steps, hasChanged, failure, isPublishing])

  async function publish(overwrite = false): Promise<void> {
    if (isPublishing) return
    setPublishing(true)
    try {
      if ((hasChanged || revision.current === 0) && !(await saveNow())) return
      const body = { revision: revision.current, overwrite }
      const published = await dataOf(api.POST('/call-flows/{id}/publish', { params, body }))
      base.current = published.version
      revision.current = 0
      setHasDraft(false)
      keep(published)
      onPublished(published)
    } catch (error) {
      if (isStatus(error, 400)) onRefused()
      else if (isStatus(error, 409) && !overwrite) ask('version', t('publishOver'), () => void publish(true))
      else complain(error)
    } finally {
      setPublishing(false)
    }
  }

  /** Removes the draft. @returns the steps that are live */
  async function discard(): Promise<readonly Step[] | null> {
    try {
      if (revision.current !== 0) await dataOf(api.DELETE('/call-flows/{id}/draft', { params }))
      const live = await dataOf(api.GET('/call-flows/{id}', { params }))
      base.current = live.version
      revision.current = 0
      setHasDraft(false)
      setFailure(null)
      client.removeQueries({ queryKey: draftQuery(flow.id).queryKey })
      keep(live)
      notifications.show({ message: t('discarded'), color: 'green' })
      return live.nodes
    } catch (error) {
      complain(error)
      return null
    }
  }

  const state: DraftState = hasChanged ? 'unsaved' : hasDraft ? 'draft' : 'published'
  return { kept, keep, state, saveNow, publish, isPublishing, discard }
}
