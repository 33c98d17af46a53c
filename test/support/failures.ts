/** Answers of 500 and above so far, as the service counts them: clients of tests ask again where they get a 503. */
export async function failures(url: string): Promise<readonly string[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return metrics
    .split("\n")
    .filter((line) => /^enterprise_search_http_request_duration_seconds_count\{.*status="5/.test(line));
}
