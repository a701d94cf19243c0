/** In pixels; reserved while the chart's code loads. */
export const chartHeight = 240
