import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SectionCard } from '../../../design/section-card'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { useTexts } from '../../../i18n/texts'
import { NewFlowForm } from '../components/new-flow-form'
import { TemplateForm } from '../components/template-form'
import { TemplateGallery } from '../components/template-gallery'
import { learnKinds } from '../model/step-kinds'
import { type Flow, nodeTypesQuery } from '../queries'
import { flowsTexts, templateTexts } from '../texts'

/** Chooses a template, and asks for what it needs: `/flows/new?template=menu`. */
export function NewFlowPage() {
  const t = useTexts(templateTexts)
  const flows = useTexts(flowsTexts)
  const { template } = useSearch({ from: '/shell/admin/flows/new' })
  const navigate = useNavigate()
  const types = useQuery(nodeTypesQuery)
  if (types.data) learnKinds(types.data)
  const onMade = ({ id }: Flow) => void navigate({ to: '/flows/$flowId', params: { flowId: id }, search: {} })
  const onCancel = () => void navigate({ to: '/flows/new', search: {} })
  return (
    <Page
      title={flows('add')}
      up={<UpLink to="/flows">{flows('heading')}</UpLink>}
      description={t('description')}
    >
      <Answered query={types}>
        {() =>
          template === undefined ? (
            <TemplateGallery />
          ) : (
            <Box maw={640}>
              <SectionCard title={t(`template_${template}`)} hint={t(`templateHint_${template}`)}>
                {template === 'blank' ? (
                  <NewFlowForm {...{ onMade, onCancel }} />
                ) : (
                  <TemplateForm key={template} {...{ template, onMade, onCancel }} />
                )}
              </SectionCard>
            </Box>
          )
        }
      </Answered>
    </Page>
  )
}
