import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Answered, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { FlowEditor } from '../components/flow-editor'
import { learnKinds } from '../model/step-kinds'
import { draftQuery, flowQuery, nodeTypesQuery } from '../queries'
import { flowsTexts } from '../texts'

/** The editor of one flow; it is remounted for another one. */
export function FlowPage() {
  const t = useTexts(flowsTexts)
  const { flowId } = useParams({ from: '/shell/admin/flows/$flowId' })
  const query = useQuery(flowQuery(flowId))
  const hasDraft = query.data?.has_draft ?? false
  const draft = useQuery({ ...draftQuery(flowId), enabled: hasDraft })
  const types = useQuery(nodeTypesQuery)
  if (types.data) learnKinds(types.data)
  if (query.data && types.data && (!hasDraft || draft.data !== undefined)) {
    return <FlowEditor key={flowId} flow={query.data} draft={draft.data ?? null} />
  }
  return (
    <Page title={t('heading')}>
      <Answered query={query}>
        {() => <Answered query={types}>{() => <Answered query={draft}>{() => <></>}</Answered>}</Answered>}
      </Answered>
    </Page>
  )
}
