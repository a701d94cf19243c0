/** Saves the steps, and asks first when somebody else has saved the flow since it was opened. */
import { ApiError, dataOf } from '@jackfield/sdk'
import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { complain } from '../../../api/use-action'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../editor-texts'
import type { Step } from '../model/steps'
import { type Flow, flowQuery, flowsKey, versionsQuery } from '../queries'

interface SavingOptions {
  steps: readonly Step[]
  onSaved: (steps: readonly Step[]) => void
  /** The steps have problems. */
  onRefused: () => void
}

export function useSaving(flow: Flow, { steps, onSaved, onRefused }: SavingOptions) {
  const t = useTexts(editorTexts)
  const words = useTexts(common)
  const client = useQueryClient()
  const [kept, setKept] = useState(flow)
  const [isSaving, setSaving] = useState(false)
  const params = { path: { id: flow.id } }

  const keep = (saved: Flow) => {
    setKept(saved)
    client.setQueryData(flowQuery(flow.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: [...flowsKey, 'list'] })
    void client.invalidateQueries({ queryKey: versionsQuery(flow.id).queryKey })
  }
  const askToOverwrite = () =>
    modals.openConfirmModal({
      title: t('overwriteQuestion'),
      children: <Text>{t('overwriteWarning')}</Text>,
      labels: { confirm: t('overwrite'), cancel: words('cancel') },
      onConfirm: () => void save(true),
    })

  async function save(isMeant: boolean): Promise<void> {
    if (isSaving) return
    setSaving(true)
    try {
      const current = isMeant ? kept : await dataOf(api.GET('/call-flows/{id}', { params }))
      if (current.updated_at !== kept.updated_at) {
        askToOverwrite()
        return
      }
      keep(await dataOf(api.PATCH('/call-flows/{id}', { params, body: { nodes: [...steps] } })))
      onSaved(steps)
      notifications.show({ message: t('savedVersion'), color: 'green' })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) complain(error)
      else {
        onRefused()
        notifications.show({ message: t('saveFailed'), color: 'red' })
      }
    } finally {
      setSaving(false)
    }
  }

  return { kept, save, isSaving, keep }
}
