import { expect } from "chai";
import { readConfig, settings } from "../src/config.js";

describe("the settings", () => {
  it("have defaults, also where a variable is empty", () => {
    const expected = {
      ok: true,
      value: {
        host: "127.0.0.1",
        port: 8080,
        publicUrl: null,
        dataDir: "./data",
        productName: "amber",
        namespace: "default",
        logLevel: "info",
        logFormat: "json",
        maxBodyBytes: 150_000_000,
        maxBinaryBytes: 104_857_600,
        maxFilesOfPerson: 1_000,
        maxFileBytesOfPerson: 2_147_483_648,
        diskReserveBytes: 67_108_864,
        maxUploadBytes: 52_428_800,
        fileTtlDays: 30,
        consistencyTimeoutMs: 5_000,
        searchBudgetMs: 100,
        role: "all",
        eventStoreUrl: null,
        typesenseUrl: null,
        typesenseApiKey: null,
        redisUrl: null,
        auditSigningKeyFile: null,
        metricsToken: null,
        rateLimitPerMinute: null,
        watchdogSeconds: 15,
        sessionIdleMinutes: 60,
        sessionHours: 12,
        trustedProxies: 0,
        oidcIssuer: null,
        oidcClientId: null,
        oidcClientSecret: null,
        oidcRolesClaim: null,
        extractionTimeoutMs: 30_000,
        libreOffice: "auto",
        extractionMemoryMb: 512,
        extractionMaxCharacters: 20_000_000,
        extractionConcurrency: null,
        extractionQueue: 64,
        ocr: false,
        ocrLanguages: ["deu", "eng"],
        tikaUrl: null,
        webSearchDefaultMode: "search",
        webSearchEngine: null,
        webSearchContextEngine: null,
        webSearchThirdpartyEngine: null,
        searxngUrl: null,
        braveApiKey: null,
        braveApiUrl: "https://api.search.brave.com/res/v1",
        tavilyApiKey: null,
        tavilyApiUrl: "https://api.tavily.com",
        exaApiKey: null,
        exaApiUrl: "https://api.exa.ai",
        linkupApiKey: null,
        linkupApiUrl: "https://api.linkup.so/v1",
        crawlAllowedHosts: [],
        crawlConcurrency: 8,
        crawlMaxBytes: 5_000_000,
        crawlUserAgent: "EnterpriseSearchBot/1.0",
        httpsProxy: null,
        noProxy: "",
        llmUrl: null,
        llmApiKey: null,
        llmDefaultModel: null,
        llmUpstreamsFile: null,
        llmTimeoutMs: 120_000,
        chatMaxConcurrent: 256,
        chatMaxConcurrentPerPerson: 16,
        embeddingsUrl: null,
        embeddingsApiKey: null,
        embeddingsModel: null,
        embeddingsDimensions: null,
        embeddingsQueryPrefix: null,
        embeddingsPassagePrefix: null,
        embeddingsTimeoutMs: 300,
        embeddingsLeastSimilarity: 50,
        rerankUrl: null,
        rerankApiKey: null,
        rerankModel: null,
        rerankTimeoutMs: 1_000,
      },
    };
    expect(readConfig({})).to.deep.equal(expected);
    expect(readConfig(Object.fromEntries(settings.map(({ name }) => [name, ""])))).to.deep.equal(expected);
  });

  it("are what the environment says", () => {
    const env = {
      HOST: "::1",
      PORT: "0",
      DATA_DIR: "/var/lib/search",
      PUBLIC_URL: "https://Search.example.org:443/",
      PRODUCT_NAME: "acme",
      LOG_LEVEL: "warn",
      CONSISTENCY_TIMEOUT_MS: "0",
      EXTRACTION_CONCURRENCY: "3",
      OCR: "on",
      OCR_LANGUAGES: "chi_sim",
      UNKNOWN: "x",
    };
    expect(readConfig(env)).to.deep.nested.include({
      ok: true,
      "value.host": "::1",
      "value.port": 0,
      "value.dataDir": "/var/lib/search",
      "value.publicUrl": "https://search.example.org",
      "value.productName": "acme",
      "value.logLevel": "warn",
      "value.consistencyTimeoutMs": 0,
      "value.extractionConcurrency": 3,
      "value.ocr": true,
      "value.ocrLanguages": ["chi_sim"],
    });
  });

  const wrong: readonly (readonly [string, string])[] = [
    ["HOST", "not a host"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "80a"],
    ["PORT", "1e3"],
    ["EXTRACTION_CONCURRENCY", "0"],
    ["EXTRACTION_MEMORY_MB", "64"],
    ["OCR", "true"],
    ["OCR_LANGUAGES", "german"],
    ["PRODUCT_NAME", "Amber"],
    ["PRODUCT_NAME", "am_ber"],
    ["NAMESPACE", "9"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["MAX_BODY_BYTES", "0"],
    ["MAX_BODY_BYTES", "150MB"],
    ["INDEXING_API_MAX_BINARY_BYTES", "1.5"],
    ["CONSISTENCY_TIMEOUT_MS", "60001"],
    ["ROLE", "both"],
    ["EMBEDDINGS_QUERY_PREFIX", "  "],
  ];
  for (const [name, value] of wrong) {
    it(`refuse ${name}=${value} by name, and say what is allowed`, () => {
      const config = readConfig({ [name]: value });
      expect(config.ok ? [] : config.error).to.have.length(1);
      expect(config.ok ? "" : config.error[0]).to.match(
        new RegExp(`^${name} must be .+, but is ${JSON.stringify(value)}\\.$`),
      );
    });
  }

  it("name the engines", () => {
    const env = {
      EVENTSTORE_URL: "esdb+discover://admin:x@a:2113,b:2113?tls=true",
      TYPESENSE_URL: "https://search:8108",
      TYPESENSE_API_KEY: "key",
      REDIS_URL: "rediss://:x@cache:6380/2",
    };
    const { EVENTSTORE_URL: eventStoreUrl, TYPESENSE_URL: typesenseUrl, REDIS_URL: redisUrl } = env;
    const config = readConfig({ ...env, ROLE: "projector" });
    expect(config.ok && config.value).to.include({
      role: "projector",
      eventStoreUrl,
      typesenseUrl,
      typesenseApiKey: "key",
      redisUrl,
    });
  });

  const wrongSecrets: readonly (readonly [string, string])[] = [
    ["EVENTSTORE_URL", "http://secret"],
    ["TYPESENSE_URL", "search:secret"],
    ["TYPESENSE_URL", "http://"],
    ["TYPESENSE_API_KEY", "se cret"],
    ["REDIS_URL", "postgres://:secret@cache"],
    ["BRAVE_SEARCH_API_KEY", "se cret"],
    ["EXA_API_URL", "exa:secret"],
  ];
  for (const [name, value] of wrongSecrets) {
    it(`refuse ${name}=${value} without repeating what may hold a password`, () => {
      const config = readConfig({ [name]: value });
      expect(config.ok ? [] : config.error).to.have.length(1);
      expect(config.ok ? "" : config.error[0]).to.match(new RegExp(`^${name} must be .+, but is not\\.$`));
    });
  }

  it("go together: an address of Typesense and its key", () => {
    expect(readConfig({ TYPESENSE_URL: "http://a:8108" })).to.deep.equal({
      ok: false,
      error: ["TYPESENSE_URL is set, but TYPESENSE_API_KEY is not. Set both, or neither."],
    });
    expect(readConfig({ TYPESENSE_API_KEY: "key" })).to.deep.equal({
      ok: false,
      error: ["TYPESENSE_API_KEY is set, but TYPESENSE_URL is not. Set both, or neither."],
    });
  });

  it("go together: an engine of the web and what is needed to ask it", () => {
    expect(readConfig({ WEB_SEARCH_CONTEXT_ENGINE: "brave", TAVILY_API_KEY: "key" })).to.deep.equal({
      ok: false,
      error: ["WEB_SEARCH_CONTEXT_ENGINE is brave, but BRAVE_SEARCH_API_KEY is not set. Set both, or neither."],
    });
    expect(readConfig({ WEB_SEARCH_ENGINE: "searxng", SEARXNG_URL: "http://a:8080" }).ok).to.equal(true);
    expect(readConfig({ WEB_SEARCH_CONTEXT_ENGINE: "searxng" })).to.have.property("ok", false);
  });

  const provider = { OIDC_ISSUER: "https://login.example.com/realms/a", OIDC_CLIENT_ID: "search" };
  const reached = { PUBLIC_URL: "https://search.example.com" };

  it("go together: an identity provider, how it knows the service, and where it sends people back to", () => {
    expect(readConfig({ ...provider, ...reached })).to.deep.nested.include({
      ok: true,
      "value.oidcIssuer": provider.OIDC_ISSUER,
      "value.oidcClientSecret": null,
    });
    const problems = (env: Readonly<Record<string, string>>): readonly string[] => {
      const config = readConfig(env);
      return config.ok ? [] : config.error;
    };
    expect(problems(provider)).to.deep.equal([
      "OIDC_ISSUER is set, but PUBLIC_URL is not: the provider has to know where it sends people back to.",
    ]);
    expect(problems({ ...reached, OIDC_ISSUER: provider.OIDC_ISSUER })).to.deep.equal([
      "OIDC_ISSUER is set, but OIDC_CLIENT_ID is not. Set both, or neither.",
    ]);
    expect(problems({ OIDC_CLIENT_SECRET: "x", OIDC_ROLES_CLAIM: "roles" })).to.deep.equal([
      "OIDC_CLIENT_SECRET is set, but OIDC_ISSUER is not. Set both, or neither.",
      "OIDC_ROLES_CLAIM is set, but OIDC_ISSUER is not. Set both, or neither.",
    ]);
  });

  it("take an identity provider without TLS on this machine alone", () => {
    const takes = (issuer: string): boolean => readConfig({ ...provider, ...reached, OIDC_ISSUER: issuer }).ok;
    for (const issuer of ["http://localhost:3000", "http://127.0.0.1:1/x", "http://[::1]:2"])
      expect(takes(issuer), issuer).to.equal(true);
    for (const issuer of ["http://login.example.com", "http://127.0.0.1.example.com", "ftp://localhost", "https://a?b"])
      expect(takes(issuer), issuer).to.equal(false);
  });

  it("name hosts that may be crawled, with a port or without", () => {
    const config = readConfig({ CRAWL_ALLOWED_HOSTS: "Wiki.example.org, bücher.example:8443,127.0.0.1:80,[::1]:81," });
    expect(config.ok && config.value.crawlAllowedHosts).to.deep.equal([
      { host: "wiki.example.org", port: null },
      { host: "xn--bcher-kva.example", port: 8443 },
      { host: "127.0.0.1", port: 80 },
      { host: "::1", port: 81 },
    ]);
    for (const hosts of ["http://a.example", "a.example/x", "u@a.example", "a b", "a:99999"])
      expect(readConfig({ CRAWL_ALLOWED_HOSTS: hosts }), hosts).to.have.property("ok", false);
  });

  it("are refused all at once", () => {
    const config = readConfig({ PORT: "x", LOG_LEVEL: "x", HOST: "x" });
    expect(config.ok ? [] : config.error.map((problem) => problem.split(" ")[0])).to.deep.equal(["PORT", "LOG_LEVEL"]);
  });
});
