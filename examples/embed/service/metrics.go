package main

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics as Prometheus reads them. Every instance has its own.

type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec   // by status and tier
	refused  *prometheus.CounterVec   // by reason
	runs     *prometheus.HistogramVec // seconds, by outcome, without the wait
	waits    prometheus.Histogram     // seconds in the queue
	programs *prometheus.CounterVec   // by whether they were compiled before
	ends     *prometheus.CounterVec   // of workers, by reason
}

func newMetrics() *metrics {
	seconds := []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dicescript_requests_total", Help: "Requests to run a recipe, by HTTP status and tier.",
		}, []string{"code", "tier"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dicescript_refused_total", Help: "Requests that were not run: client, rate, key, request, full, waited, lost, stopping, gone.",
		}, []string{"reason"}),
		runs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "dicescript_run_seconds", Help: "Time of a run in its worker.", Buckets: seconds,
		}, []string{"outcome"}),
		waits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "dicescript_wait_seconds", Help: "Time in the queue.", Buckets: seconds,
		}),
		programs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dicescript_programs_total", Help: "Programs that were run, by whether they had been compiled before.",
		}, []string{"cached"}),
		ends: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dicescript_worker_ends_total", Help: "Workers that have ended, by reason: late, exceeded, crashed, lost, replaced.",
		}, []string{"reason"}),
	}
	m.registry.MustRegister(m.requests, m.refused, m.runs, m.waits, m.programs, m.ends,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// watch adds what is read off a pool.
func (m *metrics) watch(p *pool) {
	gauge := func(name, help string, value func() int) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value()) }))
	}
	gauge("dicescript_workers", "Workers that are alive.", func() int { alive, _, _ := p.state(); return alive })
	gauge("dicescript_workers_busy", "Workers that run a recipe.", func() int { alive, idle, _ := p.state(); return alive - idle })
	gauge("dicescript_queue", "Requests that wait for a worker.", func() int { _, _, waiting := p.state(); return waiting })
	gauge("dicescript_queue_capacity", "Requests that may wait.", func() int { return p.queue })
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
