import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Answered, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { FlowEditor } from '../components/flow-editor'
import { flowsMenu } from '../navigation'
import { flowQuery } from '../queries'

/** The editor of one flow; it is remounted for another one. */
export function FlowPage() {
  const menu = useTexts(flowsMenu)
  const { flowId } = useParams({ from: '/shell/admin/flows/$flowId' })
  const query = useQuery(flowQuery(flowId))
  if (query.data) return <FlowEditor key={flowId} flow={query.data} />
  return (
    <Page title={menu('title')}>
      <Answered query={query}>{() => <></>}</Answered>
    </Page>
  )
}
