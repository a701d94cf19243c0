import { Button, Stack } from '@mantine/core'
import { IconListCheck, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { FormModal } from '../../../design/form-modal'
import { Answered, EmptyState } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { useTexts } from '../../../i18n/texts'
import { PastEvaluations } from '../components/past-evaluations'
import { ScriptList } from '../components/script-list'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import { type Script, evaluationsQuery, scriptsQuery, voiceAgentQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'

const ScriptForm = partOf(async () => import('../components/script-form'), 'ScriptForm')

export function EvaluationsPage() {
  const t = useTexts(voiceAgentsTexts)
  const { id } = useParams({ from: '/shell/admin/voice-agents/$id/evaluations' })
  const agent = useQuery(voiceAgentQuery(id))
  const scripts = useQuery(scriptsQuery(id))
  const evaluations = useQuery(evaluationsQuery(id))
  /** The script in the form; `new` for a new one. */
  const [edited, setEdited] = useState<Script | 'new' | null>(null)
  const hasChanged = useRef<() => boolean>(() => false)
  const add = (
    <Button variant="default" leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
      {t('newScript')}
    </Button>
  )
  return (
    <VoiceAgentFrame id={id} name={agent.data?.name} tab="evaluations" actions={add}>
      <Stack gap="xl">
        <Answered query={scripts}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={IconListCheck} title={t('noScripts')} action={add}>
                {t('noScriptsHint')}
              </EmptyState>
            ) : (
              <Answered query={agent}>
                {(detail) => (
                  <ScriptList
                    id={id}
                    scripts={data}
                    published={detail.published_version}
                    latest={detail.settings.version}
                    onEdit={setEdited}
                  />
                )}
              </Answered>
            )
          }
        </Answered>
        <Answered query={evaluations}>
          {({ data }) => (data.length === 0 ? <></> : <PastEvaluations id={id} evaluations={data} />)}
        </Answered>
      </Stack>
      <FormModal
        title={t(edited === 'new' ? 'newScript' : 'editScript')}
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size="xl"
        hasChanged={() => hasChanged.current()}
      >
        {edited && (
          <ScriptForm
            id={id}
            script={edited === 'new' ? null : edited}
            onDone={() => setEdited(null)}
            onChanged={(isDirty) => (hasChanged.current = isDirty)}
          />
        )}
      </FormModal>
    </VoiceAgentFrame>
  )
}
